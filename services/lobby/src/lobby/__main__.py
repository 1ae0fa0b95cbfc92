from bus.process import main
from bus.settings import BusSettings
from lobby.app import build

main("lobby", BusSettings, build)
