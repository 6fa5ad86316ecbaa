import type { Registries, RegistryKind } from '#analysis/registries/registries.ts'

/** A call of a registry's reader as a message: everything in it can be cloned. */
export interface RegistryQuestion {
  readonly registry: RegistryKind
  readonly method: string
  readonly parameters: readonly unknown[]
}

const methods: { readonly [K in RegistryKind]: readonly (keyof Registries[K] & string)[] } = {
  npm: ['get'],
  maven: ['pom', 'module', 'versions'],
  pypi: ['project', 'metadata', 'permitted'],
  rubygems: ['gem'],
  go: ['hasProxy', 'mod', 'versions'],
  licenses: ['find'],
}

/** Registries whose readers are elsewhere: every call is a question that `ask` brings there. */
export function remoteRegistries(ask: (question: RegistryQuestion) => Promise<unknown>): Registries {
  const readerOf = (registry: RegistryKind) =>
    Object.fromEntries(
      methods[registry].map((method) => [method, (...parameters: unknown[]) => ask({ registry, method, parameters })]),
    )
  return {
    npm: readerOf('npm'),
    maven: readerOf('maven'),
    pypi: readerOf('pypi'),
    rubygems: readerOf('rubygems'),
    go: readerOf('go'),
    licenses: readerOf('licenses'),
  } as unknown as Registries
}

/** The other end: calls the reader that the question means. */
export async function answerQuestion(registries: Registries, question: RegistryQuestion): Promise<unknown> {
  const { registry, method, parameters } = question
  const reader = registries[registry] as unknown as Record<string, (...all: readonly unknown[]) => Promise<unknown>>
  return reader[method]!(...parameters)
}
