import type { Interaction, Provider, Session } from 'oidc-provider'

/**
 * The provider gives a browser's session another name at the end of every interaction; two tabs that end at the same time
 * would then lose the session to each other. Another name is needed where somebody else is signed in than before, so that
 * nobody knows a session's name from earlier (session fixation), and only there.
 */
export function keepNamesOfSessions(provider: Provider): void {
  const { prototype } = provider.Session
  const { loginAccount, resetIdentifier } = prototype
  const isSomebodyElse = new WeakSet<Session>()
  prototype.loginAccount = function (details) {
    if (this.accountId !== details.accountId) isSomebodyElse.add(this)
    loginAccount.call(this, details)
  }
  prototype.resetIdentifier = function () {
    if (isSomebodyElse.has(this)) resetIdentifier.call(this)
  }
}

/**
 * Goes on with an interaction in the session that the browser has now: two tabs in which the same person signs in at once
 * begin two sessions, and the browser keeps the one that came last. False when it is somebody else's.
 */
export async function adoptSession(interaction: Interaction, session: Session): Promise<boolean> {
  const { session: before } = interaction
  if (!before || before.uid === session.uid) return true
  const { accountId, uid, acr } = session
  if (accountId === undefined || accountId !== before.accountId) return false
  interaction.session = { accountId, uid, ...(acr !== undefined && { acr }) }
  await interaction.persist()
  return true
}
