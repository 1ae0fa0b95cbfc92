from bots.app import build
from bots.settings import BotsSettings
from bus.process import main

main("bots", BotsSettings, build)
