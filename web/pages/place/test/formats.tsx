import { Code, Text } from '@mantine/core'
import { testFormats } from '../../../../src/client/api/test-formats.generated.ts'
import { Facts } from '../../../ui/facts.tsx'
import styles from './formats.module.css'

/** Names the package managers whose projects are tested, with their files on demand. */
export function Formats() {
  return (
    <details className={styles['formats']}>
      <summary>
        <Text span size="sm" fw={600}>
          Reads {testFormats.length} formats:
        </Text>{' '}
        <Text span size="sm" c="dimmed">
          {testFormats.map(({ label }) => label).join(', ')}
        </Text>
      </summary>
      <Facts of={testFormats.map(({ id, label, files }) => [label, <Names key={id} of={files} />] as const)} />
    </details>
  )
}

function Names({ of }: { of: readonly string[] }) {
  return (
    <span className={styles['names']}>
      {of.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </span>
  )
}
