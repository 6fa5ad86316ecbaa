import { Anchor, List, Stack, Text } from '@mantine/core'
import { usePlace } from '../../../hooks/place.ts'
import { basePath } from '../../../navigation/base-path.ts'
import { serverPaths } from '../../../navigation/paths.ts'
import { useSearchParams } from '../../../router/react.tsx'
import { CopyableCode } from '../../../ui/copyable-code.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { CiKey } from './key.tsx'
import { recipes, systems } from './recipes.ts'

export function CiPage() {
  const { id: orgId } = usePlace()
  const [parameters, setParameters] = useSearchParams()
  const system = systems.find((name) => name === parameters.get('system')) ?? systems[0]!
  const { setUp, files } = recipes[system]
  const url = `${location.origin}${basePath}`
  return (
    <Page title="CI recipes" lead="Test every change in your pipeline, with a key of its own.">
      <Stack maw="56rem">
        <Segments
          aria-label="CI system"
          value={system}
          onChange={(value) => setParameters({ system: value }, { replace: true })}
          options={systems.map((value) => ({ value, label: recipes[value].name }))}
        />
        <Section title="1. Create a key">
          <CiKey orgId={orgId} />
        </Section>
        <Section title="2. Store it in the CI system">
          <List size="sm" spacing={6} className="breakable">
            {setUp(url).map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        </Section>
        <Section title="3. Add to the repository">
          {files(url).map(({ path, text }) => (
            <CopyableCode key={path} label={path}>
              {text}
            </CopyableCode>
          ))}
          <Text size="sm">
            Reports, exit codes and pre-commit:{' '}
            <Anchor href={serverPaths.ciGuide} target="_blank" underline="always" size="sm">
              CI guide
            </Anchor>
            .
          </Text>
        </Section>
      </Stack>
    </Page>
  )
}
