import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { answerConsent, askConsent } from './answer-consent.ts'
import { answerLogin, resumeSignIn, showLogin } from './answer-login.ts'
import type { PasswordCheck } from './check-password.ts'
import { accountOf, openConversation, startAgain } from './conversation.ts'
import { answerSignOut, showSignOut } from './sign-out.ts'
import type { SignOnDeps } from './single-sign-on/begin-sign-on.ts'

const options = { config: { access: 'public' }, schema: { hide: true } } as const

/**
 * `/oauth2`: the pages on which users sign in, consent and sign out. They contain no scripts and work without styles.
 */
export function signInRoutes(services: Services & SignOnDeps, checkPassword: PasswordCheck): Routes {
  const needs = { ...services, checkPassword }
  return (scope) => {
    scope.get('/interactions/:uid', options, async (request, reply) => {
      const exchange = { request, reply }
      const conversation = await openConversation(needs, exchange)
      const { interaction } = conversation
      if (interaction.prompt.name === 'login') {
        const resumed = await resumeSignIn(needs, exchange, conversation)
        if (resumed) return resumed
        return showLogin(needs, exchange, { conversation, email: interaction.params.login_hint ?? '' })
      }
      const account = await accountOf(needs, conversation)
      return account ? askConsent(needs, exchange, { conversation, account }) : startAgain(reply, interaction)
    })

    scope.post('/interactions/:uid', options, async (request, reply) => {
      const exchange = { request, reply }
      const conversation = await openConversation(needs, exchange)
      if (conversation.interaction.prompt.name === 'login') return answerLogin(needs, exchange, conversation)
      const account = await accountOf(needs, conversation)
      if (!account) return startAgain(reply, conversation.interaction)
      return answerConsent(needs, exchange, { conversation, account })
    })

    scope.get('/sign-out', options, async (request, reply) => showSignOut(needs, { request, reply }))

    scope.post('/sign-out', options, async (request, reply) => answerSignOut(needs, { request, reply }))
  }
}
