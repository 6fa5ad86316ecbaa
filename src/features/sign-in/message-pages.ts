import { messageSheet } from '#foundation/pages/message.ts'

const startAgain = 'Go back to the app and start again. No access was granted.'

export const messages = {
  expired: messageSheet(400, 'This page has expired', [
    'It was open for too long, was already submitted, or your browser blocks cookies, which are required to sign in.',
    'Go back to the app and start again. If this page appears again, allow cookies for this site.',
  ]),
  anotherAccount: messageSheet(409, 'Another account has signed in', [
    'Another account signed in or out in another tab of this browser. This page was for the previous account, so your answer was ignored.',
    startAgain,
  ]),
  appGone: messageSheet(410, 'This app no longer exists', [
    'It was deleted in the meantime.',
    'You can close this page.',
  ]),
}
