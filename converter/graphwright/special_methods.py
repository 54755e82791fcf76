"""Operators, items, properties, `with` and iteration of the user's classes: special methods that Python calls itself.

The text of a function doesn't show them. Where a class that a function can see has such a method, the compiled code
calls an operator in its place, which calls the method's twin; it doesn't decide what that does.
"""

from __future__ import annotations

import ast
import dis
import functools
import inspect
import types
import weakref
from collections.abc import Iterator
from typing import Any, cast

from .closures import closure_of
from .libraries import is_library_class, is_library_function, is_library_module
from .syntax_trees import loaded, walk
from .twins import codes_below

OPERATIONS = {
    "Add": "add",
    "Sub": "sub",
    "Mult": "mul",
    "Div": "truediv",
    "FloorDiv": "floordiv",
    "Mod": "mod",
    "Pow": "pow",
    "MatMult": "matmul",
    "BitAnd": "and",
    "BitOr": "or",
    "BitXor": "xor",
    "LShift": "lshift",
    "RShift": "rshift",
}
COMPARISONS = {"Lt": "lt", "LtE": "le", "Gt": "gt", "GtE": "ge", "Eq": "eq", "NotEq": "ne"}
UNARY = {"USub": "neg", "UAdd": "pos", "Invert": "invert"}
REFLECTED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
_DUNDERS = frozenset(
    [f"__{name}__" for name in (*OPERATIONS.values(), *COMPARISONS.values(), *UNARY.values())]
    + [f"__{side}{name}__" for name in OPERATIONS.values() for side in "ir"]
    + ["__getitem__", "__setitem__", "__enter__", "__exit__", "__iter__", "__next__", "__setattr__"]
)
_ITERATED_ARGUMENT = {"collect": 1, "generate": 1} | dict.fromkeys(
    ("for_", "iter", "list", "next", "tuple", "unrolled", "walked"), 0
)
_WORK = ("POP_JUMP", "JUMP_IF", "FOR_ITER", "CALL", "PRECALL", "BINARY", "INPLACE", "COMPARE", "UNARY", "CONTAINS")


def special_names(function: types.FunctionType) -> frozenset[str]:
    """The special methods and properties (`size`, and `size=` if it can be set) of classes that a function can see."""
    codes = codes_below(function.__code__)
    names = frozenset(name for code in codes if (name := code.co_name) in _DUNDERS).union(*map(_properties_in, codes))
    names |= _names_around.get(_place_of(function.__code__), frozenset())
    if names:
        _names_around.update((_place_of(code), names) for code in codes)
    bases = {base for kind in set(_visible_classes(function)) for base in kind.__mro__}
    return names.union(*map(_names_of, bases))


_names_around: dict[tuple[str, int, str], frozenset[str]] = {}
"""For the methods of a class that a function makes, those of all such classes: they see each other's objects."""


def _place_of(code: types.CodeType) -> tuple[str, int, str]:
    return code.co_filename, code.co_firstlineno, code.co_name


def call_special_methods(function: ast.AST, alias: str, names: frozenset[str]) -> None:
    """Let a compiled function call operators where special methods of these names may be meant."""
    if names:
        _Uses(alias, names).visit(function)


def methods_of(name: str) -> tuple[str, ...]:
    """The special methods that may decide what an operator of two operands gives; names have no underscores here."""
    return (name, REFLECTED.get(name, f"r{name}"), *(["eq"] if name == "ne" else []))


def is_users_method(member: Any) -> bool:
    """Whether a class's member is a function of the user's that can be converted."""
    return (
        type(member) is types.FunctionType
        and member.__code__.co_filename != "<string>"
        and not is_library_function(member)
    )


def is_of_total_ordering(member: Any) -> bool:
    """Whether `functools.total_ordering` has added a method to a class."""
    return type(member) is types.FunctionType and member.__globals__.get("__name__") == "functools"


def _visible_classes(function: types.FunctionType) -> Iterator[type]:
    for value in (*function.__globals__.values(), *(function.__defaults__ or ()), *closure_of(function).values()):
        if isinstance(value, types.ModuleType):
            if not is_library_module(value.__name__):
                yield from (member for member in list(vars(value).values()) if isinstance(member, type))
        else:
            yield value if isinstance(value, type) else type(value)


def _properties_in(body: types.CodeType) -> Iterator[str]:
    """What may be a property of the class that a function makes, by the code of its body."""
    if body.co_flags & inspect.CO_NEWLOCALS or _PROPERTIES.isdisjoint(body.co_names):
        return
    for code in body.co_consts:
        if isinstance(code, types.CodeType) and code.co_argcount in (1, 2):
            # The text of a lambda doesn't say what it is called: it may be anything that the body sets.
            names = body.co_names if code.co_name == "<lambda>" else (code.co_name,)
            yield from names if code.co_argcount == 1 else (f"{name}=" for name in names)


_PROPERTIES = frozenset({"property", "cached_property"})


def _names_of(kind: type) -> frozenset[str]:
    """Those that a class itself defines; it is looked at once."""
    names = _known_names.get(kind)
    if names is None:
        names = _known_names[kind] = frozenset[str]() if is_library_class(kind) else frozenset(_found_names(kind))
    return names


_known_names: weakref.WeakKeyDictionary[type, frozenset[str]] = weakref.WeakKeyDictionary()


def _found_names(kind: type) -> Iterator[str]:
    if cast("Any", kind).__eq__ is object.__eq__:
        yield "__eq__"  # Of which object two names are, only the graph may know.
    for name, member in list(vars(kind).items()):
        if name in _DUNDERS:
            if _does_work(member) or is_of_total_ordering(member):
                yield name
        elif type(member) is property:
            if _does_work(member.fget):
                yield name
            if _does_work(member.fset):
                yield f"{name}="
        elif type(member) is functools.cached_property and _does_work(member.func):
            yield name


def _does_work(member: Any) -> bool:
    """Whether a method can need conversion: it does more than read or set attributes."""
    if not is_users_method(member):
        return False
    return any(instruction.opname.startswith(_WORK) for instruction in dis.get_instructions(member.__code__))


class _Uses(ast.NodeTransformer):
    def __init__(self, alias: str, names: frozenset[str]) -> None:
        self.alias, self.names = alias, names

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return node  # What is defined there stays as it was written.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return self._without_annotations(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:
        return self._without_annotations(node)

    def _without_annotations(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Any:
        result, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = result
        return node

    def visit_arg(self, node: ast.arg) -> Any:
        return node  # An annotation may be no more than its text.

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        name = OPERATIONS[type(node.op).__name__]
        return self._call(node, "operated", name, node.left, node.right) if self._has(*methods_of(name)) else node

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        name = COMPARISONS.get(type(node.ops[0]).__name__)
        if name is None or len(node.ops) > 1 or not self._has(*methods_of(name)):
            return node
        return self._call(node, "operated", name, node.left, node.comparators[0])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        name = UNARY.get(type(node.op).__name__, "")
        return self._call(node, "operated", name, node.operand) if self._has(name) else node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or not self._has("getitem") or _has_slice(node.slice):
            return node
        return self._call(node, "operated", "getitem", node.value, node.slice)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or node.attr not in self.names or _is_name(node.value, self.alias):
            return node
        return self._call(node, "attribute_of", node.value, node.attr)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, (ast.Attribute, ast.Subscript)):
            return node
        if isinstance(target, ast.Attribute):
            name, operator, key = f"{target.attr}=", "set_attribute", target.attr
        else:
            name, operator, key = "__setitem__", "set_special_item", target.slice
        is_meant = name in self.names or (operator == "set_attribute" and self._has("setattr"))
        if not is_meant or (isinstance(target, ast.Subscript) and _has_slice(target.slice)):
            return node
        return ast.copy_location(ast.Expr(self._call(node, operator, node.value, target.value, key)), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        name, target = OPERATIONS[type(node.op).__name__], node.target
        self.generic_visit(node)
        if not isinstance(target, ast.Name) or not self._has(f"i{name}", *methods_of(name)):
            return node
        value = self._call(node, "operated", f"i{name}", loaded(target), node.value)
        return ast.copy_location(ast.Assign([target], value), node)

    def visit_With(self, node: ast.With) -> Any:
        self.generic_visit(node)
        if self._has("enter", "exit"):
            for item in node.items:
                item.context_expr = self._call(item.context_expr, "managed", item.context_expr)
        return node

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        node.iter = self._iterated(node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        self.generic_visit(node)
        node.iter = self._iterated(node.iter)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and _is_name(function.value, self.alias) and node.args:
            place = _ITERATED_ARGUMENT.get(function.attr)
            if place is not None:
                node.args[place] = self._iterated(node.args[place])
            elif function.attr in _OF_ITEMS and self._has("getitem", "setitem"):
                function.attr = f"{function.attr}_of"
            elif function.attr == "changed":
                function.attr = "changed_of"
            elif function.attr == "tests" and self.names - {"__eq__"}:
                node.keywords.clear()  # A special method may have effects, so no iteration is traced again.
        return node

    def _iterated(self, node: ast.expr) -> ast.expr:
        return self._call(node, "iterated", node) if self._has("iter", "next") else node

    def _has(self, *names: str) -> bool:
        return any(f"__{name}__" in self.names for name in names)

    def _call(self, place: ast.AST, operator: str, *arguments: Any) -> Any:
        parts: list[Any] = [ast.Constant(part) if isinstance(part, str) else part for part in arguments]
        function = ast.Attribute(ast.Name(self.alias, ast.Load()), operator, ast.Load())
        call = ast.Call(function, parts, [])
        for made in (call, function, function.value, *(part for part in parts if isinstance(part, ast.Constant))):
            ast.copy_location(made, place)
        return call


_OF_ITEMS = ("get_item", "read_item", "set_inside", "set_item", "update_inside", "update_item")


def _has_slice(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Slice) for part in walk(node))


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def call_of(entity: Any) -> Any:
    """The user's function or method that runs when an object is called, or None; Python finds it in the class."""
    kind = cast("type[Any]", type(entity))
    call: Any = next((vars(base)["__call__"] for base in kind.__mro__ if "__call__" in vars(base)), None)
    if not isinstance(call, (types.FunctionType, staticmethod, classmethod)):
        return None
    bound: Any = cast("Any", call).__get__(entity, kind)
    return bound if isinstance(bound, (types.FunctionType, types.MethodType)) else None
