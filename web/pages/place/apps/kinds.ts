export const kinds = {
  confidential: {
    name: 'Authorized by users; runs on a server',
    meaning: 'Has a client secret.',
  },
  public: {
    name: 'Authorized by users; runs on their devices',
    meaning: 'Cannot keep a secret, so it authenticates with PKCE.',
  },
  unattended: {
    name: 'Runs unattended where it is installed',
    meaning: 'Machine-to-machine. Each install has its own client id and secret.',
  },
} as const

export type Kind = keyof typeof kinds
