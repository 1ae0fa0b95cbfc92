from account.app import build
from account.settings import AccountSettings
from bus.process import main

main("account", AccountSettings, build)
