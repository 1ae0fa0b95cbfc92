from bus.process import main
from bus.settings import BusSettings
from table.app import build

main("table", BusSettings, build)
