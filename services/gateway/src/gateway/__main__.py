from bus.process import main
from gateway.app import build
from gateway.settings import GatewaySettings

main("gateway", GatewaySettings, build)
