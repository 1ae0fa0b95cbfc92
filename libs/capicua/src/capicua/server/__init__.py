"""Running the whole product on one machine; needs the extra ``server``."""
