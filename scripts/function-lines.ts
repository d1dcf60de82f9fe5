import ts from 'typescript';

/** The most lines of code of a function's own (docs/decisions/0210). */
const MOST_LINES = 60;

/**
 * Functions with more than 60 lines of code of their own: without blank lines, comments, and the blocks of functions
 * inside them. A function that only builds others around shared state is as long as those are many, and each of them
 * is counted by itself. Answers a line for each, `path:line name has N lines of its own`.
 */
export function functionFaults(path: string, text: string): string[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const code = linesWithCode(file);
  const faults: string[] = [];

  function visit(node: ts.Node): void {
    if (hasBody(node)) {
      const own = new Set(linesOf(file, node).filter((line) => code.has(line)));
      for (const inner of blocksInside(node)) for (const line of linesOf(file, inner)) own.delete(line);
      if (own.size > MOST_LINES) {
        const [line = 0] = linesOf(file, node);
        const name = node.name?.getText(file) ?? 'a function without a name';
        faults.push(`${path}:${line + 1} ${name} has ${own.size} lines of its own, more than ${MOST_LINES}`);
      }
    }
    ts.forEachChild(node, visit);
  }
  visit(file);
  return faults;
}

type FunctionWithBody = ts.FunctionLikeDeclaration & { body: ts.Node };

function hasBody(node: ts.Node): node is FunctionWithBody {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** The outermost functions inside one whose body is a block; an expression is part of where it stands. */
function blocksInside(outer: FunctionWithBody): ts.Node[] {
  const found: ts.Node[] = [];
  function look(node: ts.Node): void {
    if (hasBody(node) && ts.isBlock(node.body)) found.push(node);
    else ts.forEachChild(node, look);
  }
  ts.forEachChild(outer, look);
  return found;
}

function linesOf(file: ts.SourceFile, node: ts.Node): number[] {
  const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
  const last = file.getLineAndCharacterOfPosition(node.getEnd()).line;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Lines that hold a token: neither blank nor only a comment. */
function linesWithCode(file: ts.SourceFile): Set<number> {
  const lines = new Set<number>();
  function visit(node: ts.Node): void {
    const children = node.getChildren(file);
    if (children.length === 0 && node.getWidth(file) > 0)
      for (const line of linesOf(file, node)) lines.add(line);
    for (const child of children) if (!ts.isJSDoc(child)) visit(child);
  }
  visit(file);
  return lines;
}
