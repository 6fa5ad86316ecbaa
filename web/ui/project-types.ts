import { testFormats } from '../../src/client/api/test-formats.generated.ts'

/** Types of projects: supported package managers first, then types of graphs that clients send. */
export const projectTypes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(testFormats.map(({ id, label }) => [id, label])),
  golangdep: 'Go dep',
}
