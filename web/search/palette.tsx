import { Kbd, Loader, Modal, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { callData } from '../api/client.ts'
import { listDocumentation } from '../api/documentation.ts'
import type { Places } from '../api/places.ts'
import { ReadingAlert } from '../components/refusal-alert.tsx'
import { usePlaces } from '../hooks/place.ts'
import type { ConsoleScope } from '../navigation/paths.ts'
import { useNavigate } from '../router/react.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import {
  type Choice,
  findGuides,
  findPages,
  type OwningGroup,
  optionId,
  parseQuery,
  prefixNames,
  toGroups,
} from './choices.tsx'
import { Results } from './results.tsx'
import styles from './search.module.css'
import type { TypedKeys } from './typed-keys.ts'

/** Milliseconds without a key press before the server is queried. */
const PAUSE_MS = 120

interface Props {
  readonly place: ConsoleScope | undefined
  readonly typed: TypedKeys
  readonly onType: (typed: TypedKeys) => void
  readonly onClose: () => void
}

/** A search of the organization and the console's pages, with results while typing. */
export function Palette({ place, typed, onType, onClose }: Props) {
  const { text, isEntered } = typed
  const [at, setAt] = useState(0)
  const navigate = useNavigate()
  const { groups, reading, isWaiting } = useResults(place, text)
  const choices = groups.flatMap((group) => group.choices)
  const active = choices[Math.min(at, choices.length - 1)]

  function open({ to, isDocumentation }: Choice) {
    onClose()
    if (isDocumentation) window.open(to, '_blank', 'noopener')
    else navigate(to)
  }

  const openFirst = useEffectEvent(() => {
    if (active) open(active)
  })
  useEffect(() => {
    if (isEntered && !isWaiting) openFirst()
  }, [isEntered, isWaiting])

  function onKeyDown(event: KeyboardEvent) {
    const move = steps[event.key]
    if (move && choices.length > 0) {
      event.preventDefault()
      setAt(move(Math.min(at, choices.length - 1), choices.length))
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      // Results of an earlier text are not meant, unless one was selected.
      if (isWaiting && at === 0) onType({ text, isEntered: true })
      else if (active) open(active)
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="40rem"
      yOffset="10vh"
      radius="lg"
      attributes={{ content: { 'aria-label': 'Search' } }}
    >
      <TextInput
        className={styles['field'] ?? ''}
        data-autofocus
        variant="unstyled"
        size="md"
        px="md"
        py={6}
        aria-label="Search"
        placeholder="CVE, package, project, app, member, page or guide"
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls="search-results"
        aria-activedescendant={active && optionId(active)}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        leftSection={<SearchIcon />}
        rightSection={isWaiting ? <Loader size="xs" aria-hidden /> : <Kbd size="xs">Esc</Kbd>}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          onType({ text: value, isEntered: false })
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ReadingAlert title="Could not search" reading={reading} />
      <Results
        groups={groups}
        active={active}
        query={parseQuery(text).query}
        isWaiting={isWaiting || reading.isError}
        onOpen={open}
        onPoint={(choice) => setAt(choices.indexOf(choice))}
      />
      <VisuallyHidden role="status">{isWaiting ? '' : countWords(choices.length)}</VisuallyHidden>
      <div className={styles['foot']} aria-hidden>
        <span>
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> Select
        </span>
        <span>
          <Kbd size="xs">↵</Kbd> Open
        </span>
        <span style={{ flex: 1 }} />
        <span>Narrow: {prefixNames.map((name) => `${name}:`).join(' ')}</span>
      </div>
    </Modal>
  )
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  PageDown: (at, count) => Math.min(at + 5, count - 1),
  PageUp: (at) => Math.max(at - 5, 0),
}

function countWords(count: number): string {
  return count === 1 ? '1 result' : `${count} results`
}

function useResults(place: ConsoleScope | undefined, text: string) {
  const { query, kinds } = parseQuery(text)
  const [settled] = useDebouncedValue(text, PAUSE_MS)
  const parsed = parseQuery(settled)
  const isAsked = place?.kind === 'orgs' && parsed.query !== ''
  const reading = useQuery({
    queryKey: ['search', place?.id, parsed.query, parsed.kinds],
    queryFn: ({ signal }) => callData('searchOrg', { params: { org_id: place!.id }, query: parsed, signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const groups = isAsked && query !== '' && place ? toGroups(place, reading.data ?? []) : []
  const group = findGroup(usePlaces().data, place)
  const pages = kinds ? [] : findPages(place, query, group)
  // Without the documentation, the other results stay.
  const guides = useQuery({
    queryKey: ['documentation'],
    queryFn: listDocumentation,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const documentation = kinds ? [] : findGuides(guides.data ?? [], query)
  const isWaiting = place?.kind === 'orgs' && query !== '' && (settled !== text || reading.isFetching)
  return { groups: [...groups, ...pages, ...documentation], reading, isWaiting }
}

function findGroup(places: Places | undefined, place: ConsoleScope | undefined): OwningGroup | undefined {
  const org = places?.orgs.find(({ id }) => place?.kind === 'orgs' && id === place.id)
  const group = places?.groups.find(({ id }) => id === org?.attributes.group_id)
  return group && { id: group.id, name: group.attributes.name }
}
