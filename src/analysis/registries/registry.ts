export type { Registry } from '../registry-name.ts'
