from bus.process import main
from table.projector.app import build
from table.settings import ProjectorSettings

main("table-projector", ProjectorSettings, build)
