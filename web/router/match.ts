import type { ComponentType } from 'react'

/** A page and its address. */
export interface Route {
  /** Segments separated by slashes: `:name` matches any segment, a final `*` matches all that follow. */
  readonly path: string
  /** Returns the page, fetching its code if needed. */
  readonly load: () => ComponentType | Promise<ComponentType>
}

export type Params = Readonly<Record<string, string>>

export interface Match {
  readonly route: Route
  readonly params: Params
}

/** Finds the page of an address. Fixed segments win over parameters, and parameters over `*`. */
export function matchRoute(routes: readonly Route[], pathname: string): Match | undefined {
  const segments = split(pathname)
  let best: (Match & { rank: string }) | undefined
  for (const route of routes) {
    const params = paramsOf(split(route.path), segments)
    if (params === undefined) continue
    const rank = rankOf(route.path)
    if (best === undefined || rank < best.rank) best = { route, params, rank }
  }
  return best && { route: best.route, params: best.params }
}

function split(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Params | undefined {
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    if (part === '*') return { ...params, '*': segments.slice(index).map(decode).join('/') }
    const segment = segments[index]
    if (segment === undefined) return undefined
    if (part.startsWith(':')) params[part.slice(1)] = decode(segment)
    else if (part !== segment) return undefined
  }
  return pattern.length === segments.length ? params : undefined
}

/** Returns a sort key: a fixed segment before a parameter, and that before `*`. */
function rankOf(path: string): string {
  return split(path)
    .map((part) => (part === '*' ? '2' : part.startsWith(':') ? '1' : '0'))
    .join('')
}

/** Decodes a segment; users may type invalid escapes. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
