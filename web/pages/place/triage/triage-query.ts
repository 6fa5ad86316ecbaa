export interface TriageFilters {
  readonly due?: string | undefined
  /** A user's id. */
  readonly assignee?: string | undefined
}

/** Converts the filters to parameters of lists of vulnerabilities. */
export function toTriageQuery({ due, assignee }: TriageFilters) {
  return { ...(due === 'overdue' && { overdue: true as const }), ...(assignee !== undefined && { assignee }) }
}
