import { NativeSelect, Skeleton, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ImportWanted, requestImport } from '../../../api/imports.ts'
import { listAllIntegrations } from '../../../api/integrations.ts'
import type { Integration } from '../../../api/resources.ts'
import { CreationForm, useCreation } from '../../../components/creation.tsx'
import { Note } from '../../../components/note.tsx'
import { faultOf, ReadingAlert } from '../../../components/refusal-alert.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { linesOf } from '../../../pages/place/apps/lines.ts'
import { Link, useNavigate, useSearchParams } from '../../../router/react.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Page } from '../../../ui/page.tsx'
import { textField } from '../../../ui/text-field.ts'
import { kindName, kinds } from '../integrations/kinds.ts'
import { type Target, TargetFields, toTarget } from '../integrations/target-fields.tsx'
import { ArchiveChoice } from './archive-choice.tsx'

const usuallyLeftOut = 'fixtures, tests, __tests__, node_modules'

/** The page for a new import. The address may contain the integration and parts of the target. */
export function NewImport() {
  const { id: orgId } = usePlace()
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  return (
    <Page
      title="Import a repository"
      lead="Each manifest becomes a project. Importing again updates the projects; ignores and history are kept."
    >
      <ImportForm
        orgId={orgId}
        parameters={parameters}
        onStarted={(id) => navigate(paths.importRun(orgId, id))}
        cancel={paths.imports(orgId)}
      />
    </Page>
  )
}

interface Props {
  readonly orgId: string
  /** The preselected integration, and parts of the target. */
  readonly parameters: URLSearchParams
  readonly onStarted: (importId: string) => void
  readonly cancel: string | (() => void)
}

/** The form for a new import, once the sources are loaded. */
export function ImportForm(props: Props) {
  const { orgId, parameters } = props
  const reading = useQuery({
    queryKey: ['integrations', orgId, 'all'],
    queryFn: () => listAllIntegrations(orgId),
  })
  const integrationId = parameters.get('integration')
  const integrations = reading.data ?? []
  // The cached list lacks an integration that was connected since.
  const isComing = reading.isFetching && !integrations.some(({ id }) => integrationId === null || id === integrationId)
  return (
    <>
      <ReadingAlert title="Could not load the integrations" reading={reading} />
      {isComing && <Skeleton height={180} />}
      {!isComing && reading.data?.length === 0 && (
        <Empty title="No source connected">
          <Link to={paths.newIntegration(orgId)}>Connect one</Link>, then come back.
        </Empty>
      )}
      {!isComing && integrations.length > 0 && (
        <Form {...props} integrations={integrations} integrationId={integrationId} />
      )}
    </>
  )
}

interface FormProps extends Props {
  readonly integrations: readonly Integration[]
  /** The id of the preselected integration. */
  readonly integrationId: string | null
}

function Form({ orgId, onStarted, cancel, parameters, integrations, integrationId }: FormProps) {
  const [integration, setIntegration] = useState(
    () => integrations.find(({ id }) => id === integrationId) ?? integrations[0]!,
  )
  const [target, setTarget] = useState<Target>(() => targetIn(parameters))
  const [files, setFiles] = useState('')
  const [exclusionGlobs, setExclusionGlobs] = useState(usuallyLeftOut)
  const importing = useCreation({
    create: (input: ImportWanted, key) => requestImport(orgId, input, key),
    listKey: ['imports', orgId],
    onCreated: onStarted,
  })
  const { error } = importing
  const kind = kinds[integration.attributes.kind]

  function choose(id: string) {
    setIntegration(integrations.find((integration) => integration.id === id)!)
    setTarget({})
    importing.reset()
  }

  function submit() {
    importing.mutate({
      integrationId: integration.id,
      target: toTarget(target) ?? {},
      files: linesOf(files),
      exclusionGlobs,
    })
  }

  return (
    <CreationForm action="Import" cancel={cancel} failure="Import not started" saving={importing} onSubmit={submit}>
      <NativeSelect
        label="From"
        {...textField(integration.id, choose)}
        data={integrations.map(({ id, attributes }) => ({ value: id, label: choiceOf(attributes) }))}
      />
      {integration.attributes.kind === 'archive' && (
        <ArchiveChoice
          key={integration.id}
          orgId={orgId}
          integrationId={integration.id}
          value={target['name'] ?? ''}
          onChange={(name) => setTarget({ name })}
          error={faultOf(error, 'target/name')}
        />
      )}
      <TargetFields fields={kind.target} target={target} onChange={setTarget} error={error} />
      <Textarea
        label="Manifests"
        description="One path per line, from the repository root; empty for all"
        {...textField(files, setFiles, faultOf(error, 'files'))}
        autosize
        minRows={2}
        spellCheck={false}
      />
      <TextInput
        label="Excluded folders"
        description="Comma-separated names, at most ten; empty for none"
        {...textField(exclusionGlobs, setExclusionGlobs, faultOf(error, 'exclusionGlobs'))}
        spellCheck={false}
      />
      <Note size="sm">Files are fetched on demand. Nothing is checked out or executed.</Note>
    </CreationForm>
  )
}

function targetIn(parameters: URLSearchParams): Target {
  return Object.fromEntries([...parameters].filter(([name]) => name !== 'integration'))
}

function choiceOf({ name, kind }: Integration['attributes']): string {
  return name === kindName(kind) ? name : `${name} (${kindName(kind)})`
}
