import githubAction from '../../../../docs/ci/github/action.yml?raw'
import githubWorkflow from '../../../../docs/ci/github/workflow.yml?raw'
import gitlabComponent from '../../../../docs/ci/gitlab/gatehouse.yml?raw'
import jenkinsfile from '../../../../docs/ci/jenkins/Jenkinsfile?raw'
import shellScript from '../../../../docs/ci/shell/gatehouse.sh?raw'

interface RecipeFile {
  /** Path in the repository. */
  readonly path: string
  readonly text: string
}

interface Recipe {
  readonly name: string
  /** Tells where the key and the other values are stored. */
  readonly setUp: (url: string) => readonly string[]
  readonly files: (url: string) => readonly RecipeFile[]
}

const runner = 'The runner needs Node 24, git and gatehouse.'

/** The recipes of `docs/ci`, by CI system. */
export const recipes = {
  github: {
    name: 'GitHub Actions',
    setUp: (url) => [
      'Under Settings, “Secrets and variables”, “Actions”, store the key as the secret GATEHOUSE_KEY.',
      `Store ${url} as the variable GATEHOUSE_URL.`,
      'If the runner does not have gatehouse, store its package (URL, path or name@version) as the variable GATEHOUSE_PACKAGE.',
    ],
    files: () => [
      { path: '.github/workflows/gatehouse.yml', text: githubWorkflow },
      { path: '.github/actions/gatehouse/action.yml', text: githubAction },
    ],
  },
  gitlab: {
    name: 'GitLab CI',
    setUp: () => [
      'Under Settings, “CI/CD”, “Variables”, store the key as the masked variable GATEHOUSE_KEY.',
      'Replace IMAGE with an image that has Node 24, git and gatehouse.',
    ],
    files: (url) => [
      {
        path: '.gitlab-ci.yml',
        text: `include:\n  - local: templates/gatehouse.yml\n    inputs:\n      image: IMAGE\n      url: ${url}\n`,
      },
      { path: 'templates/gatehouse.yml', text: gitlabComponent },
    ],
  },
  jenkins: {
    name: 'Jenkins',
    setUp: () => ['Store the key as a credential of the kind “Secret text” with the id gatehouse-key.', runner],
    files: (url) => [{ path: 'Jenkinsfile', text: addressTo(jenkinsfile, url) }],
  },
  shell: {
    name: 'Shell',
    setUp: () => ['Give the job the key as the secret environment variable GATEHOUSE_KEY.', runner],
    files: (url) => [{ path: 'gatehouse.sh', text: addressTo(shellScript, url) }],
  },
} satisfies Readonly<Record<string, Recipe>>

export type System = keyof typeof recipes

export const systems = Object.keys(recipes) as readonly System[]

/** Replaces the address of the example. */
function addressTo(text: string, url: string): string {
  return text.replace('https://gatehouse.example.com', url)
}
