"""All routes of the API, as the gateway puts it together."""

from docs.api.generate import assembled
from fastapi.routing import APIRoute

ROUTES_MIN = 40


def all_routes() -> list[APIRoute]:
    """Never so few that a test which goes through them has nothing to say."""
    routers = [getattr(each, "original_router", None) for each in assembled().routes]
    found = [route for router in routers for route in getattr(router, "routes", ()) if isinstance(route, APIRoute)]
    assert len(found) >= ROUTES_MIN
    return found
