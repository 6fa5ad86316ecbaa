export type { Advice, StoredGraph, StoredPackage } from '#analysis/findings/stored-graph.ts'
export type { FoundIssue, ProjectTest } from '#features/package-tests/project-form.ts'
