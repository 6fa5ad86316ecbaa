/** The kinds of apps that can be registered. */
export const kinds = {
  confidential: {
    name: 'People let it in; it runs on a server',
    meaning: 'It has a client secret, which it can keep.',
  },
  public: {
    name: 'People let it in; it runs on their own devices',
    meaning: 'It has no secret, since everybody could read it, and proves itself with PKCE.',
  },
  unattended: {
    name: 'It works unattended where it is installed',
    meaning: 'Nobody sits in front of it. Each install has a client id and a secret of its own.',
  },
} as const

export type Kind = keyof typeof kinds
