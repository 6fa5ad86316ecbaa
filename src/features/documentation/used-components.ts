import type { OpenApi } from './openapi-document.ts'

type Components = OpenApi['components']

/** Removes the components that nothing refers to, directly or through other components. */
export function withUsedComponents(document: OpenApi): OpenApi {
  const { components, ...rest } = document
  const used = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
      const path = `${kind}/${name}`
      if (used.has(path)) continue
      used.add(path)
      follow(components[kind]?.[name] ?? {})
    }
  }
  follow(rest)
  const isUsed = (kind: string, name: string) => kind === 'securitySchemes' || used.has(`${kind}/${name}`)
  const kept = Object.entries(components).map(([kind, members]): [string, Components[string]] => [
    kind,
    Object.fromEntries(Object.entries(members).filter(([name]) => isUsed(kind, name))),
  ])
  return { ...document, components: Object.fromEntries(kept) }
}
