import { messageSheet } from '#foundation/pages/message.ts'

const startAgain = 'Go back to the app and start again. No access was granted.'

export const messages = {
  expired: messageSheet(400, 'This page is no longer valid', [
    'It has expired, was already answered, or this browser blocks cookies, which signing in requires.',
    'Go back to the app and start again. If this page appears again, allow cookies for this site.',
  ]),
  anotherAccount: messageSheet(409, 'Another account has signed in', [
    'Another account was signed in, or signed out, in another tab of this browser. This page was for the previous account, so your answer was not used.',
    startAgain,
  ]),
  appGone: messageSheet(410, 'This app no longer exists', [
    'It was deleted in the meantime.',
    'You can close this page.',
  ]),
}
