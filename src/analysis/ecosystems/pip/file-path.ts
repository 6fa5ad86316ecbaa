import { isUrl } from './requirements/requirement-line.ts'

/**
 * Returns the path of a referenced file relative to the target's folder; undefined for URLs, absolute paths and
 * variables.
 */
export function toPath(reference: string, from: string): string | undefined {
  if (isUrl(reference) || /^(?:[/\\~]|[a-zA-Z]:)/.test(reference) || reference.includes('${')) return undefined
  const parts = [...from.split('/').slice(0, -1), ...reference.split(/[/\\]/)]
  const kept: string[] = []
  for (const part of parts) {
    if (part === '' || part === '.') continue
    if (part === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else kept.push(part)
  }
  return kept.length === 0 ? undefined : kept.join('/')
}

/** Returns the path in a comment at the beginning of a sent file: `# file: requirements/base.txt`. */
export function ownPath(content: string): string | undefined {
  const written = /^\uFEFF?#[ \t]*file:[ \t]*([^\r\n]{1,500})/.exec(content)?.[1]
  return written === undefined ? undefined : toPath(written.trim(), '')
}
