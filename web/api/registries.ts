import { registries as all } from '../../src/client/api/test-formats.generated.ts'

export const registries = all.map(({ name }) => name)
