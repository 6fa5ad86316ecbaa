import type { Registries, RegistryKind } from '#analysis/registries/registries.ts'

/** A call of a registry reader as a message, so that all its parts can be cloned. */
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

/** Creates registries whose readers run elsewhere: `ask` forwards every call as a question. */
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

/** Answers a forwarded question with the reader that it names. */
export async function answerQuestion(registries: Registries, question: RegistryQuestion): Promise<unknown> {
  const { registry, method, parameters } = question
  const reader = registries[registry] as unknown as Record<string, (...all: readonly unknown[]) => Promise<unknown>>
  return reader[method]!(...parameters)
}
