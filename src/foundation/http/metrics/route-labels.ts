/** The labels of a request's series. */
export interface RouteLabels {
  readonly method: string
  readonly route: string
}

/**
 * The properties of a request that determine its labels. `url` is the pattern of the route; undefined if none matched.
 */
interface Measured {
  readonly method: string
  readonly url: string | undefined
  readonly status: number
}

/** Requests to no route: clients choose their methods and paths. */
const NONE: RouteLabels = { method: 'any', route: 'none' }
const OTHER: RouteLabels = { method: 'any', route: 'other' }

/**
 * Gives the first `most` routes labels of their own, each with a method; the requests of all others are counted
 * together. A refused request (4xx) creates no labels, so probing every path without a credential uses up none.
 */
export function createRouteLabels(most: number): (request: Measured) => RouteLabels {
  const labelsByKey = new Map<string, RouteLabels>()
  return ({ method: sent, url, status }) => {
    if (url === undefined) return NONE
    const route = url.startsWith('/docs/') ? '/docs/*' : url
    // HEAD is a GET without a body.
    const method = sent === 'HEAD' ? 'GET' : sent
    const key = `${method} ${route}`
    const labels = labelsByKey.get(key)
    if (labels) return labels
    if (labelsByKey.size >= most || (status >= 400 && status < 500)) return OTHER
    const made = { method, route }
    labelsByKey.set(key, made)
    return made
  }
}
