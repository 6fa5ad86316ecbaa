import { toPath } from '#analysis/documents/file-paths.ts'

/** Returns the path in a comment at the beginning of a sent file: `# file: requirements/base.txt`. */
export function ownPath(content: string): string | undefined {
  const written = /^\uFEFF?#[ \t]*file:[ \t]*([^\r\n]{1,500})/.exec(content)?.[1]
  return written === undefined ? undefined : toPath(written.trim(), '')
}
