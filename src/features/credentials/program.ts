/** The owner of a credential, as announced to its organization. */
export interface Program {
  readonly kind: 'service_account' | 'app' | 'app_install'
  readonly id: string
  /** For an install, the name of its app. */
  readonly name: string
  /** Null for a whole group, which has no webhooks. */
  readonly orgId: string | null
}
