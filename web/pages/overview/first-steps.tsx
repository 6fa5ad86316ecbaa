import { Button, Group, Paper, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { type ReactNode, Suspense, useEffect, useEffectEvent, useId, useState } from 'react'
import type { OrgOverview } from '../../api/resources.ts'
import { lazyPart } from '../../navigation/lazy.ts'
import { paths } from '../../navigation/paths.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import { ButtonLink, PageLink } from '../../ui/links.tsx'
import { Age } from '../../ui/relative-time.tsx'
import { countOf } from '../../ui/words.ts'
import styles from './first-steps.module.css'
import type { FirstStepsState } from './use-first-steps.ts'

const AdvisorySync = lazyPart(async () => (await import('./advisory-sync.tsx')).AdvisorySync)
const IntegrationForm = lazyPart(async () => (await import('../place/integrations/new.tsx')).IntegrationForm)
const ImportForm = lazyPart(async () => (await import('../place/imports/new.tsx')).ImportForm)
const ImportState = lazyPart(async () => (await import('./import-state.tsx')).ImportState)
const CiKey = lazyPart(async () => (await import('../place/ci/key.tsx')).CiKey)

interface Step {
  readonly title: string
  readonly isDone: boolean
  /** The result of a done step, otherwise its purpose. */
  readonly about: ReactNode
  /** Label of the button that opens the step. */
  readonly action: string
  readonly content: ReactNode
}

interface Props extends FirstStepsState {
  readonly orgId: string
  readonly overview: OrgOverview
  readonly onEnd: () => void
}

/** A checklist for a new organization. Each step is done in it, and ticked by the organization's state. */
export function FirstSteps({ onEnd, ...state }: Props) {
  const id = useId()
  const [opened, setOpened] = useState<string>()
  const steps = useSteps(state, () => setOpened(undefined))
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  // A key that is shown only once stays until its reader closes the step.
  const isOver = next === undefined && opened === undefined
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (isOver) end()
  }, [isOver])
  if (isOver) return null
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-labelledby={id}>
      <Stack gap="md">
        <Group justify="space-between">
          <div>
            <Title order={2} size="h4" id={id}>
              First steps
            </Title>
            <Text size="sm" c="dimmed" role="status">
              {done} of {steps.length} done
            </Text>
          </div>
          <Button variant="subtle" size="compact-sm" onClick={onEnd}>
            Hide first steps
          </Button>
        </Group>
        <ol className={styles['steps']}>
          {steps.map((step, at) => (
            <StepRow
              key={step.title}
              number={at + 1}
              step={step}
              isNext={step === next}
              isOpen={opened === step.title}
              onOpen={(isOpen) => setOpened(isOpen ? step.title : undefined)}
            />
          ))}
        </ol>
      </Stack>
    </Paper>
  )
}

interface RowProps {
  readonly number: number
  readonly step: Step
  readonly isNext: boolean
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}

function StepRow({ number, step: { title, isDone, about, action, content }, isNext, isOpen, onOpen }: RowProps) {
  const id = useId()
  return (
    <li className={styles['step']}>
      <span className={styles['mark']} data-done={isDone || undefined} aria-hidden>
        {isDone ? <CheckIcon size={24} /> : number}
      </span>
      <div className={styles['words']}>
        <Text fw={600} size="sm">
          {title}
          {isDone && <VisuallyHidden>: done</VisuallyHidden>}
        </Text>
        <Text size="sm" c="dimmed" component="div" className="breakable">
          {about}
        </Text>
      </div>
      <Button
        className={styles['action'] ?? ''}
        variant={isNext && !isOpen ? 'filled' : 'default'}
        size="compact-md"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => onOpen(!isOpen)}
      >
        {isOpen ? 'Close' : action}
      </Button>
      {isOpen && (
        <div className={styles['content']} id={id}>
          <Suspense fallback={<Skeleton height={180} role="status" aria-label="Loading" />}>{content}</Suspense>
        </div>
      )}
    </li>
  )
}

function useSteps({ orgId, overview, integrations, accounts }: Omit<Props, 'onEnd'>, close: () => void): Step[] {
  const [importId, setImportId] = useState<string>()
  const [connectedId, setConnectedId] = useState<string>()
  const { complete, incomplete, untested } = overview.projects
  const projects = complete + incomplete + untested
  return [
    advisoriesStep(orgId, overview.advisories),
    {
      title: 'Connect a source',
      isDone: integrations.length > 0,
      about:
        integrations.length > 0
          ? integrations.map(({ attributes }) => attributes.name).join(', ')
          : 'GitHub, GitLab, another Git server, a folder, or uploaded archives.',
      action: integrations.length > 0 ? 'Connect another' : 'Connect source',
      content: (
        <IntegrationForm
          orgId={orgId}
          onConnected={(id) => {
            setConnectedId(id)
            close()
          }}
          cancel={close}
        />
      ),
    },
    {
      title: 'Import a repository',
      isDone: projects > 0,
      about:
        projects > 0 ? (
          <PageLink to={paths.projects(orgId)} size="sm">
            {countOf(projects, 'project')}
          </PageLink>
        ) : (
          'Each manifest becomes a project, which is tested now and after each change of the advisories.'
        ),
      action: importId !== undefined ? 'Show import' : projects > 0 ? 'Import another' : 'Import repository',
      content:
        importId === undefined ? (
          <ImportForm
            orgId={orgId}
            parameters={new URLSearchParams(connectedId && { integration: connectedId })}
            onStarted={setImportId}
            cancel={close}
          />
        ) : (
          <ImportState orgId={orgId} importId={importId} onAgain={() => setImportId(undefined)} />
        ),
    },
    ...(accounts === undefined ? [] : [accountStep(orgId, accounts)]),
  ]
}

function accountStep(orgId: string, accounts: NonNullable<FirstStepsState['accounts']>): Step {
  const isDone = accounts.length > 0
  return {
    title: 'Add a CI account',
    isDone,
    about: isDone ? (
      <PageLink to={paths.serviceAccounts({ kind: 'orgs', id: orgId })} size="sm">
        {accounts.map(({ attributes }) => attributes.name).join(', ')}
      </PageLink>
    ) : (
      'Its key lets your pipeline test every change.'
    ),
    action: isDone ? 'Add another' : 'Add CI account',
    content: (
      <Stack gap="sm">
        <CiKey orgId={orgId} />
        <Group>
          <ButtonLink variant="default" to={paths.ci(orgId)}>
            Show CI recipes
          </ButtonLink>
        </Group>
      </Stack>
    ),
  }
}

function advisoriesStep(orgId: string, { is_starter_set, checked_at, source }: OrgOverview['advisories']): Step {
  return {
    title: 'Load advisories',
    isDone: !is_starter_set,
    about: is_starter_set ? (
      'The starter set has only some well-known vulnerabilities.'
    ) : (
      <>
        Read <Age time={checked_at} /> from {source}.
      </>
    ),
    action: is_starter_set ? 'Load advisories' : 'Load again',
    content: <AdvisorySync orgId={orgId} />,
  }
}
