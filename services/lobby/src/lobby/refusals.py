"""How the lobby says no, and the one refusal that regions and private rooms have in common."""

from contracts.envelope import Refusal


def refusal(code: str, what: str, expected: str, got: str) -> Refusal:
    """A refusal whose sentence says what was expected and what came."""
    return Refusal(code=code, message=f"{what}: expected {expected}, got {got}", expected=expected, got=got)


def refuse_outsider(principal: str, does: str) -> Refusal | None:
    """`not-allowed` for anybody but the lobby, which alone `does` that: what it sends to itself."""
    return None if principal == "lobby" else refusal("not-allowed", f"only the lobby {does}", "lobby", principal)
