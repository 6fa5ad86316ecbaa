export type { Registry } from '../registry-facts.ts'
