import { getSshAccess } from '@innkeeper/services';
import { assetPath } from '../../assets/register-assets.ts';
import type { PanelContext } from '../../env.ts';
import { terminalPolicy } from '../../http/page-headers.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { page } from '../../ui/page.tsx';
import { Copyable, Notice } from '../../ui/parts.tsx';
import { terminalTexts } from './texts/index.ts';

/** Terminals in tabs. Without a script: how to log in over SSH. */
export async function terminalPage(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const access = await getSshAccess(ctx, { account_id: ctx.actor.accountId });
  c.header('Content-Security-Policy', terminalPolicy);
  const { title } = textsFor(c, terminalTexts);
  return page(c, { title }, access.is_allowed ? <Terminals {...access} /> : <NotAllowed />);
}

function NotAllowed() {
  return <Notice>{useTexts(terminalTexts).notAllowed}</Notice>;
}

function Terminals({ user, address }: { user: string; address: string }) {
  const texts = useTexts(terminalTexts);
  return (
    <>
      <noscript>
        <Notice>{texts.needsScript}</Notice>
        <Copyable id="ssh-command" label={texts.command} text={`ssh ${user}@${address}`} />
      </noscript>
      <section
        class="terminals"
        id="terminals"
        hidden
        data-socket="/terminal/socket"
        data-xterm={assetPath('xterm.mjs')}
        data-fit={assetPath('xterm-fit.mjs')}
        data-tab={texts.tab}
        data-connecting={texts.connecting}
        data-open={texts.open}
        data-lost={texts.lost}
        data-ended={texts.ended}
        data-refused={texts.refused}
        data-signed-out={texts.signedOut}
      >
        <div class="terminal-bar">
          <div class="terminal-tabs" role="tablist" aria-label={texts.tabs} />
          <button type="button" class="btn btn-small" data-new>
            <Icon name="plus" />
            {texts.newTab}
          </button>
          <button type="button" class="btn btn-quiet btn-small" data-close>
            {texts.closeTab}
          </button>
        </div>
        <div class="terminal-panes" />
        <p class="muted" role="status" data-status />
      </section>
      <p class="muted">{texts.hint}</p>
      <link rel="stylesheet" href={assetPath('xterm.css')} />
      <script src={assetPath('terminal.js')} defer />
    </>
  );
}
