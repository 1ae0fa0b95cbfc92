from bus.process import main
from bus.settings import BusSettings
from timer.app import build

main("timer", BusSettings, build)
