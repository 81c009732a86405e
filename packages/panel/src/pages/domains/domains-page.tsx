import { endpoints } from '@innkeeper/contract';
import { type DomainListItem, getHosting, listDomains } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { fieldsOf, type Refused } from '../../http/form.ts';
import { customerContext } from '../../http/session.ts';
import { CheckField, type FormState, freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Live, Pages, Status, Table, Tag } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { CertificateSummary } from './certificate.tsx';

/** The domains of the account, and the form that adds one. */
export async function domainsPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = customerContext(c);
  const account_id = ctx.actor.accountId;
  const wanted = fieldsOf(endpoints.listDomains.query, { page: c.req.query('page') });
  const [list, { domains: room, server }] = await Promise.all([
    listDomains(ctx, { ...wanted, hosting_account_id: account_id }),
    getHosting(ctx, { account_id }),
  ]);
  const path = list.page === 1 ? '/domains' : `/domains?page=${list.page}`;
  return page(
    c,
    { title: 'Domains', status: refused?.status ?? 200 },
    <>
      <Card title="Your domains">
        <Live id="domains" busy={list.items.some(isUnderWay)} path={path}>
          {list.total === 0 ? (
            <Empty>There is no domain yet. A site needs a domain. Add the first one below.</Empty>
          ) : (
            <DomainTable domains={list.items} now={ctx.now()} />
          )}
          <Pages path="/domains" {...list} />
        </Live>
      </Card>
      <Card title="Add a domain">
        <Room {...room} kinds="domains" />
        <AddForm c={c} state={refused ?? freshForm()} isFirst={room.used === 0} />
        <p class="muted">
          {`The site works when the DNS record of the domain points to ${server.address}. The panel shows the record after you add the domain.`}
        </p>
      </Card>
    </>,
  );
}

function isUnderWay({ status, ssl }: DomainListItem): boolean {
  return status === 'pending' || status === 'removing' || ssl.status === 'pending';
}

function DomainTable({ domains, now }: { domains: readonly DomainListItem[]; now: Date }) {
  return (
    <Table
      caption="Domains"
      headings={['Domain', 'Status', 'Certificate']}
      rows={domains.map(({ id, domain_name, is_primary, status, ssl }) => [
        <>
          <a href={`/domains/${id}`}>{domain_name}</a> {is_primary ? <Tag>primary</Tag> : null}
        </>,
        <Status status={status} />,
        <CertificateSummary ssl={ssl} now={now} />,
      ])}
    />
  );
}

function AddForm({ c, state, isFirst }: { c: PanelContext; state: FormState; isFirst: boolean }) {
  return (
    <PostForm c={c} action="/domains" state={state} submit="Add the domain">
      <TextField
        state={state}
        name="domain_name"
        label="Domain name"
        hint="Such as example.com or shop.example.com, without http:// and without a path."
        attributes={{
          required: true,
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: false,
          inputmode: 'url',
        }}
      />
      {isFirst ? null : (
        <CheckField
          state={state}
          name="is_primary"
          label="Make it the primary domain"
          hint="The list of accounts shows the primary domain. This replaces the current primary domain."
        />
      )}
    </PostForm>
  );
}
