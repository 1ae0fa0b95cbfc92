"""Each overlay is rendered once per run."""

import pytest
from tests.deploy.rendered import OVERLAYS, Rendered, render

NAMES = sorted(folder.name for folder in OVERLAYS.iterdir())


@pytest.fixture(scope="session", params=NAMES)
def rendered(request: pytest.FixtureRequest) -> Rendered:
    """Each overlay in turn."""
    return render(request.param)


@pytest.fixture(scope="session")
def production() -> Rendered:
    return render("production")
