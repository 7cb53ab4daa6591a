"""No module of ours imports itself through others, also not under `if TYPE_CHECKING`."""

import grimp


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Strongly connected sets of more than one module: what remains when leaves are taken off."""
    left = {module: set(targets) for module, targets in edges.items()}
    while True:
        ends = {module for module, targets in left.items() if not targets & set(left)}
        starts = set(left) - {target for targets in left.values() for target in targets}
        if not ends | starts:
            return [sorted(left)] if left else []
        for module in ends | starts:
            del left[module]


def test_a_circle_is_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == [["b", "c"]]
    assert circles({"a": {"b"}, "b": set()}) == []


def test_no_module_imports_itself_through_others():
    graph = grimp.build_graph("schemas", "agents", "streams", cache_dir=None)
    edges = {
        module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules
    }
    assert circles(edges) == []
