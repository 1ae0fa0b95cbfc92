"""From where somebody asks, as far as that can be known."""

from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection

FORWARDED_FOR = "x-forwarded-for"
NETWORK_BITS = 64
"""Of an IPv6 address: what one household or one rented machine has to itself."""

OF_LOOPBACK = ("127.", "::/64")
"""What the addresses of a machine itself begin with, as `ClientAddress` has them; `::1` alone is in the network."""


class ClientAddress:
    """The other end of a connection. Behind `proxies` proxies of our own it is what the outermost of them has written
    into X-Forwarded-For; what stands before that is the client's own word and never looked at."""

    def __init__(self, proxies: int) -> None:
        self._proxies = proxies

    def of(self, connection: HTTPConnection) -> str:
        """An IPv4 address, the network of an IPv6 one, or an empty text where there is none."""
        host = connection.client.host if connection.client is not None else ""
        if self._proxies:
            told = [part.strip() for line in connection.headers.getlist(FORWARDED_FOR) for part in line.split(",")]
            host = told[-self._proxies] if len(told) >= self._proxies else host
        return _counted(host)

    def outside(self, connection: HTTPConnection) -> str:
        """The same, and an empty text for this machine itself too: so are all who come through a proxy here of which
        the gateway was not told, and what one address may would not do for them."""
        address = self.of(connection)
        return "" if address.startswith(OF_LOOPBACK) else address


def _counted(host: str) -> str:
    try:
        address = ip_address(_without_port(host).partition("%")[0])
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ip_network((address, NETWORK_BITS), strict=False))
    return str(address)


def _without_port(host: str) -> str:
    """Some proxies write the port too: `192.0.2.7:80`, `[2001:db8::1]:80`."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host
