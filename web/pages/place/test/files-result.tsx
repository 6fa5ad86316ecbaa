import { Alert, Code, List, Stack, Text, Title } from '@mantine/core'
import { useEffect, useMemo, useRef } from 'react'
import type { Answer } from '../../../api/client.ts'
import { WarningIcon } from '../../../ui/icons.tsx'
import { withDetails } from './result.ts'
import { ResultView } from './result-view.tsx'

type TreeResult = Answer<'testFiles'>

export function FilesResult({ result: { projects, advisories, leftOut, outOfScope = [] } }: { result: TreeResult }) {
  const shown = useMemo(
    () => projects.map(({ result, ...rest }) => ({ ...rest, result: result && withDetails(result, advisories) })),
    [projects, advisories],
  )
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.focus(), [])
  return (
    <Stack gap="xl" ref={top} tabIndex={-1} style={{ outline: 'none' }} aria-label="Results" component="section">
      {leftOut.length > 0 && (
        <Alert color="yellow" icon={<WarningIcon />} title="Not tested" role="status">
          <List size="sm">
            {leftOut.map(({ path, reason }) => (
              <List.Item key={path}>
                <Code>{path}</Code> {reason}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {outOfScope.length > 0 && (
        <Text size="sm" c="dimmed" className="breakable">
          Not covered: {outOfScope.map(({ path }) => path).join(', ')}
        </Text>
      )}
      {shown.map(({ path, packageManager, result, error }) => (
        <Stack key={`${packageManager} ${path}`} gap="md">
          <Title order={2} size="h4" className="breakable">
            {path}{' '}
            <Text span c="dimmed" size="sm">
              {packageManager}
            </Text>
          </Title>
          {result && <ResultView result={result} name={path} />}
          {error && (
            <Alert color="red" title="This project could not be tested" role="status">
              {error.message}
            </Alert>
          )}
        </Stack>
      ))}
    </Stack>
  )
}
