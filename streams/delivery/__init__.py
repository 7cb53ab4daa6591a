"""How a record is delivered: lanes, in-order acks, retries, dead letters, and Faust's adapter."""
