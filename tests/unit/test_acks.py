"""Only the contiguous prefix of what was read is acknowledged."""

from hypothesis import given
from hypothesis import strategies as st

from streams.delivery.acks import InOrderAcks


@given(st.sets(st.integers(0, 60), min_size=1).flatmap(lambda o: st.permutations(sorted(o))))
def test_whatever_the_order_of_finishing_the_prefix_comes_out_in_order(finishing):
    offsets = sorted(finishing)  # as read: ascending, with gaps
    acks = InOrderAcks[int]()
    for offset in offsets:
        assert acks.add(offset, offset)
    done: set[int] = set()
    acknowledged: list[int] = []
    for offset in finishing:
        done.add(offset)
        acknowledged += acks.finish(offset)
        prefix = [o for i, o in enumerate(offsets) if set(offsets[: i + 1]) <= done]
        assert acknowledged == prefix
    assert acknowledged == offsets
    assert len(acks) == 0


def test_a_repeat_of_what_is_not_acknowledged_yet_is_refused():
    acks = InOrderAcks[str]()
    assert acks.add(7, "first")
    assert not acks.add(7, "again")
    assert acks.finish(7) == ["first"]
    assert acks.add(7, "read again after a seek"), "better handled twice than lost"


def test_a_record_read_late_still_comes_before_what_follows_it():
    acks = InOrderAcks[int]()
    acks.add(9, 9)
    acks.add(8, 8)
    assert acks.finish(9) == []
    assert acks.unacknowledged() == [9, 8]
    assert acks.finish(8) == [8, 9]
