import { ActionIcon, Group, Text, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState } from 'react'
import { ReadingAlert } from '../components/refusal-alert.tsx'
import { accountPage } from '../components/site-map.tsx'
import { PlaceContext, useFoundPlace, usePlaces, useSelf } from '../hooks/place.ts'
import { useSession } from '../hooks/session.tsx'
import { type ConsoleScope, paths, serverPaths } from '../navigation/paths.ts'
import { listenForShortcuts } from '../navigation/shortcuts.ts'
import { Link, useLocation, useNavigate, useRouterState } from '../router/react.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { BookIcon, CrossIcon, GateIcon, MenuIcon, SignOutIcon } from '../ui/icons.tsx'
import { Broken } from './broken.tsx'
import { ColorSchemeSwitch } from './color-scheme-switch.tsx'
import { Faults } from './faults.tsx'
import { FirstLoad } from './first-load.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { Navigation } from './navigation.tsx'
import { NavigationButton, NavigationLink } from './navigation-link.tsx'
import styles from './shell.module.css'

// Fetched when it is first opened.
const KeyboardMap = lazy(async () => ({ default: (await import('./keyboard-map.tsx')).KeyboardMap }))

/** The frame around every page behind the sign-in. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const place = useRememberedPlace()
  const places = usePlaces()
  const { Page, error, isLeaving, location } = useRouterState()
  const isWaiting = useLasting(isLeaving, WAITING_MS)
  useKeptFocus()
  const [isMapShown, map] = useDisclosure()
  useShortcuts(place, map.open)
  if (Page === undefined && error === undefined) return <FirstLoad />
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the page
      </a>
      <header className={styles['header']}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <ActionIcon
              onClick={toggle}
              hiddenFrom="sm"
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
              aria-expanded={isOpen}
            >
              {isOpen ? <CrossIcon size={20} /> : <MenuIcon size={20} />}
            </ActionIcon>
            <Text
              component={Link}
              to={paths.overview}
              aria-label="Gatehouse"
              fw={700}
              size="lg"
              c="inherit"
              style={{ display: 'flex', gap: 8, alignItems: 'center', textDecoration: 'none' }}
            >
              <GateIcon size={24} />
              <span className={styles['product']}>Gatehouse</span>
            </Text>
          </Group>
          <SearchBox place={place} />
          <Group gap="xs" wrap="nowrap">
            <ActionIcon
              component="a"
              href={serverPaths.documentation}
              target="_blank"
              variant="default"
              size="lg"
              aria-label="API documentation"
              title="API documentation"
            >
              <BookIcon />
            </ActionIcon>
            <ColorSchemeSwitch />
          </Group>
        </Group>
      </header>
      <nav className={styles['navigation']} id="navigation" data-open={isOpen || undefined}>
        <div className={styles['places']}>
          <Navigation place={place} onNavigate={close} />
        </div>
        <div className={styles['own']}>
          <Account onNavigate={close} />
        </div>
      </nav>
      <main className={styles['main']} id="main" tabIndex={-1}>
        <Waiting isWaiting={isWaiting} />
        {/* Mistakes here would otherwise show up on every page as something else. */}
        {places.isError ? (
          <ReadingAlert title="Could not load your organizations and groups" reading={places} />
        ) : (
          // What is left takes nothing more: no second sending of a form, and no words meant for the next page.
          <div className="page" aria-busy={isWaiting} inert={isLeaving}>
            <PlaceContext value={place}>
              <Faults resetKey={location}>{Page ? <Page /> : <Broken error={error} />}</Faults>
            </PlaceContext>
          </div>
        )}
      </main>
      {isMapShown && (
        <Suspense>
          <KeyboardMap onClose={map.close} />
        </Suspense>
      )}
    </>
  )
}

function useShortcuts(place: ConsoleScope | undefined, showMap: () => void) {
  const navigate = useNavigate()
  const [kind, id] = [place?.kind, place?.id]
  useEffect(() => {
    const here = kind === undefined || id === undefined ? undefined : { kind, id }
    const listener = listenForShortcuts({ place: here, goTo: (path) => void navigate(path), showMap })
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [kind, id, navigate, showMap])
}

/** Milliseconds before a loading page is announced. */
const WAITING_MS = 200

/** Announces, visibly and to screen readers, that the next page is loading. */
function Waiting({ isWaiting }: { isWaiting: boolean }) {
  return (
    <>
      {isWaiting && <div className="waiting" aria-hidden />}
      <VisuallyHidden role="status">{isWaiting ? 'Loading the page…' : ''}</VisuallyHidden>
    </>
  )
}

/** Returns true if a condition has lasted for a while. */
function useLasting(isSo: boolean, ms: number): boolean {
  const [hasLasted, setLasted] = useState(false)
  useEffect(() => {
    if (!isSo) return
    const timer = setTimeout(() => setLasted(true), ms)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [isSo, ms])
  return isSo && hasLasted
}

/** Returns the place of the address, or the last visited one, or the first of the caller. */
function useRememberedPlace(): ConsoleScope | undefined {
  const current = useFoundPlace()
  const self = useSelf()
  const places = usePlaces()
  const [last, setLast] = useState<ConsoleScope>()
  const [kind, id] = [current?.kind, current?.id]
  useEffect(() => {
    if (kind !== undefined && id !== undefined) setLast({ kind, id })
  }, [kind, id])
  if (current) return current
  if (last) return last
  const orgId = self.data?.attributes.default_org_context ?? places.data?.orgs[0]?.id
  if (orgId !== undefined) return { kind: 'orgs', id: orgId }
  const groupId = places.data?.groups[0]?.id
  return groupId === undefined ? undefined : { kind: 'groups', id: groupId }
}

function Account({ onNavigate }: { onNavigate: () => void }) {
  const self = useSelf()
  const { signOut } = useSession()
  const isHere = useLocation().pathname === paths.account
  return (
    <>
      <NavigationLink {...accountPage} isHere={isHere} onClick={onNavigate} />
      <NavigationButton
        label="Sign out"
        description={self.data?.attributes.name}
        icon={<SignOutIcon />}
        onClick={() => signOut()}
      />
    </>
  )
}
