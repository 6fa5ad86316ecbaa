import { messageSheet } from '#foundation/pages/message.ts'

const startAgain = 'Go back to the app and start again there. Nothing was allowed.'

export const messages = {
  expired: messageSheet(400, 'This page is no longer valid', [
    'It was open for too long, it was answered already, or this browser does not keep cookies, which signing in needs.',
    'Go back to the app and start again there. If this page comes up again, allow cookies for this address.',
  ]),
  anotherAccount: messageSheet(409, 'Somebody else has signed in meanwhile', [
    'In another tab or window of this browser somebody signed in with another account, or signed out. The question on this page was for the account from before, so its answer was not taken.',
    startAgain,
  ]),
  appGone: messageSheet(410, 'This app no longer exists', [
    'It was deleted while you were asked about it.',
    'There is nothing to decide any more; you can close this page.',
  ]),
}
