/** A first word in another form than the imperative: "adds", "added", "adding". */
const otherForm = /^(?:[a-z]+[^s]s|[a-z]+ed|[a-z]+ing)$/
/** Imperatives that end alike. */
const imperatives = new Set(['need', 'embed', 'feed', 'speed', 'shed', 'bring', 'string', 'ring', 'alias', 'bias'])

export default {
  // `area: summary`; several areas are separated by commas.
  parserPreset: {
    parserOpts: {
      headerPattern: /^([a-z0-9][a-z0-9./-]*(?:, [a-z0-9][a-z0-9./-]*)*): (.+)$/,
      headerCorrespondence: ['type', 'subject'],
    },
  },
  plugins: [
    {
      rules: {
        'subject-imperative': ({ subject }) => {
          const first = subject?.split(' ')[0] ?? ''
          return [
            !otherForm.test(first) || imperatives.has(first),
            `"${first}": say what the commit does, in the imperative`,
          ]
        },
      },
    },
  ],
  rules: {
    'header-max-length': [2, 'always', 72],
    'type-empty': [2, 'never'],
    'subject-empty': [2, 'never'],
    'subject-full-stop': [2, 'never', '.'],
    'subject-imperative': [2, 'always'],
    'body-leading-blank': [2, 'always'],
    'body-max-line-length': [1, 'always', 72],
  },
}
