import { accountSpecSchema } from '@innkeeper/protocol';
import {
  createDomain,
  createNameGuard,
  findOverlapsOf,
  getAccount,
  getDomain,
  listAudit,
  listDomains,
  listReservedOverlaps,
  type NewDomain,
  overlapSentence,
  removeDomain,
  type ServiceContext,
  setAccountResources,
  terminateAccount,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, addReseller, auditOf, fresh, open, reportNewest, rowOf, specOf } from './fixtures.ts';
import { signer } from './panel-users.ts';
import { limits, refusalOf } from './records.ts';

const rig = useDatabaseRig({ max_domains: 100 });
const { admin, newAccount } = rig;

const add = (hosting_account_id: number, domain_name: string, more: Partial<NewDomain> = {}) =>
  createDomain(admin(), { hosting_account_id, domain_name, ...more });
const newName = () => `${fresh('site')}.example`;
const primaryOf = async (account_id: number) =>
  (await getAccount(admin(), { account_id, include: new Set() })).domains
    .filter(({ is_primary }) => is_primary)
    .map(({ domain_name }) => domain_name);

const overlap = {
  domain_name: [
    expect.stringMatching(
      /^The domain name is below or above a domain of another account\. If it is yours, add the TXT record /,
    ),
  ],
};
const taken = { domain_name: ['The domain name has already been taken.'] };

describe('adding', () => {
  test('the domain is pending, in the spec of the next generation, audited, and the node is woken', async () => {
    const hosting_account_id = await newAccount();
    const name = newName();
    const ctx = admin();
    const { view, generation } = await createDomain(ctx, { hosting_account_id, domain_name: name });
    const { linux_user, username } = await rowOf(rig.db, hosting_account_id);
    expect(view).toEqual({
      id: view.id,
      domain_name: name,
      hosting_account_id,
      is_primary: true,
      document_root: `/home/${linux_user}/domains/${name}/public_html`,
      status: 'pending',
      status_reason: null,
      ssl: { status: 'none', issuer: null, expires_at: null, error: null },
      hosting_account: { id: hosting_account_id, username },
      created_at: expect.any(Date),
      updated_at: expect.any(Date),
    });
    expect(generation).toBe(2);
    expect(ctx.wakes).toHaveLength(1);
    const spec = await specOf(rig.db, hosting_account_id);
    expect(accountSpecSchema.parse(spec).domains).toEqual([
      {
        domain_id: view.id,
        name,
        is_primary: true,
        desired_state: 'active',
        certificate_revision: 0,
        certificate_email: '',
      },
    ]);
    expect(await auditOf(rig.db, hosting_account_id)).toEqual(['account.create', 'domain.create']);
    await reportNewest(rig.db, hosting_account_id, {
      domains: [{ domain_id: view.id, status: 'active', reason: '', certificate: null }],
    });
    expect((await getDomain(ctx, { domain_id: view.id })).status).toBe('active');
  });

  test.each(['co.uk', 'com.au', 'xn--55qx5d.cn'])('the public suffix %s is nobody’s', async (name) => {
    expect(await refusalOf(add(await newAccount(), name))).toMatchObject({
      code: 'invalid',
      fields: { domain_name: ['The domain name field must not be a public suffix.'] },
    });
  });

  test('a name is one account’s in the whole fleet, and not twice the same account’s', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const name = newName();
    await add(one, name);
    for (const id of [one, other])
      expect(await refusalOf(add(id, name))).toMatchObject({ code: 'invalid', fields: taken });
    expect(await refusalOf(add(other, name, { allow_overlap: true }))).toMatchObject({ fields: taken });
  });
});

/** Returns the context of a control plane with these reserved names and these TXT records in DNS. */
const guarded = (names: readonly string[], txtRecords: Map<string, string[]> = new Map()) => ({
  ...admin(),
  names: createNameGuard({ names, resolveTxt: async (name) => txtRecords.get(name) ?? [], signer }),
});

describe('a name', () => {
  const reserved = {
    domain_name: ['The domain name is reserved: it is a name of the provider, or lies above or below one.'],
  };

  test('of the provider, of a node, and what is above or below one is refused; existing domains stay and are told', async () => {
    const [host, node, own] = [newName(), newName(), newName()];
    const hosting_account_id = await newAccount();
    const before = await add(hosting_account_id, `old.${own}`);
    const { username } = await rowOf(rig.db, hosting_account_id);
    const ctx = guarded([`panel.${host}`, own, '192.0.2.1', 'localhost']);
    await rig.db
      .updateTable('nodes')
      .set({ hostname: `web1.dc.${node}` })
      .limit(1)
      .execute();
    const clashes = [
      `panel.${host}`,
      host,
      `a.panel.${host}`,
      own,
      `b.a.${own}`,
      `web1.dc.${node}`,
      `dc.${node}`,
      `x.web1.dc.${node}`,
    ];
    for (const domain_name of clashes)
      for (const allow_overlap of [false, true]) {
        const asked = createDomain(
          {
            ...ctx,
            actor: { userId: 1, role: 'user', accountId: hosting_account_id, tokenId: null, address: '' },
          },
          { hosting_account_id, domain_name, allow_overlap },
        );
        expect(await refusalOf(asked), domain_name).toMatchObject({ code: 'invalid', fields: reserved });
      }
    for (const domain_name of [`www.${host}`, `panel2.${host}`, `web2.dc.${node}`, `my${own}`])
      await createDomain(ctx, { hosting_account_id, domain_name });
    expect((await getDomain(ctx, { domain_id: before.view.id })).domain_name).toBe(`old.${own}`);
    const overlaps = await listReservedOverlaps(rig.db, ctx.names.reserved);
    expect(overlaps).toContainEqual({
      domain_name: `old.${own}`,
      account_username: username,
      reserved: own,
    });
    const late = `web9.${newName()}`;
    expect(await findOverlapsOf(rig.db, [late, 'web1', ''])).toEqual([]);
    const { view } = await createDomain(ctx, { hosting_account_id, domain_name: `shop.${late}` });
    const told = await findOverlapsOf(rig.db, [late, 'web1', '']);
    expect(told).toEqual([{ domain_name: view.domain_name, account_username: username, reserved: late }]);
  });

  test('of the provider is an admin’s to allow, and the overlap is audited and shown', async () => {
    const own = newName();
    const hosting_account_id = await newAccount();
    const input = { hosting_account_id, domain_name: `shop.${own}`, allow_overlap: true };
    const ctx = guarded([own]);
    const reseller = { ...(await addReseller(rig.db)), names: ctx.names };
    const package_id = await addPackage(rig.db, { owner: reseller.username });
    const theirs = (await open(reseller, { package_id })).accountId;
    const refused = createDomain(reseller, { ...input, hosting_account_id: theirs });
    expect(await refusalOf(refused)).toMatchObject({ fields: reserved });
    expect(await refusalOf(createDomain(ctx, { ...input, allow_overlap: false }))).toMatchObject({
      fields: reserved,
    });
    const { view } = await createDomain(ctx, input);
    const [row] = (await listAudit(admin(), { account_id: hosting_account_id, limit: 1 })).items;
    expect(row).toMatchObject({ action: 'domain.create', details: { overlaps_reserved: own } });
    const overlaps = await listReservedOverlaps(rig.db, ctx.names.reserved);
    expect(overlaps.map(overlapSentence).join()).toContain(
      `The domain ${view.domain_name} of the account ${(await rowOf(rig.db, hosting_account_id)).username} overlaps the reserved name ${own}`,
    );
  });

  test('in another account’s tree is taken with the TXT record that the refusal names, and with no other', async () => {
    const [squatter, owner, third] = [await newAccount(), await newAccount(), await newAccount()];
    const name = newName();
    await add(squatter, `x.${name}`);
    const txtRecords = new Map<string, string[]>();
    const ctx = guarded([], txtRecords);
    const take = (hosting_account_id: number, domain_name = name) =>
      createDomain(ctx, { hosting_account_id, domain_name });
    const recordOf = async (accountId: number) => {
      const { fields } = (await refusalOf(take(accountId))) as { fields: { domain_name: string[] } };
      expect(fields).toEqual(overlap);
      const [, record = '', value = ''] =
        /TXT record (\S+) with the value (\S+) to its DNS/.exec(fields.domain_name[0] ?? '') ?? [];
      return { record, value };
    };
    const { record, value } = await recordOf(owner);
    expect([record, value]).toEqual([
      `_innkeeper.${name}`,
      expect.stringMatching(/^innkeeper-account=[0-9a-f]{64}$/),
    ]);
    const others = await recordOf(third);
    expect(others.value).not.toBe(value);
    for (const wrongRecords of [[], ['v=spf1 -all'], [others.value], [`${value}0`]]) {
      txtRecords.set(record, wrongRecords);
      expect(await refusalOf(take(owner)), wrongRecords.join()).toMatchObject({ fields: overlap });
    }
    txtRecords.set(record, ['v=spf1 -all', value]);
    expect(await refusalOf(take(third)), 'the record of another account').toMatchObject({ fields: overlap });
    expect(await refusalOf(take(owner, `x.${name}`)), 'a name that is taken').toMatchObject({
      fields: taken,
    });
    expect((await take(owner)).view).toMatchObject({ domain_name: name, hosting_account_id: owner });
    const [row] = (await listAudit(admin(), { account_id: owner, limit: 1 })).items;
    expect(row).toMatchObject({ action: 'domain.create', details: { proven_by: 'dns' } });
  });

  test('DNS is asked for it only where its answer decides', async () => {
    const [squatter, owner] = [await newAccount(), await newAccount()];
    const reserved = newName();
    const name = newName();
    for (const taken of [`x.${name}`, `x.${reserved}`]) await add(squatter, taken);
    const asked: string[] = [];
    const names = createNameGuard({
      names: [reserved],
      resolveTxt: async (record) => {
        asked.push(record);
        return [];
      },
      signer,
    });
    const take = (changes: Partial<NewDomain>, ctx: ServiceContext = admin()) =>
      createDomain({ ...ctx, names }, { hosting_account_id: owner, domain_name: name, ...changes });
    const setRoom = (max_domains: number) =>
      setAccountResources(admin(), { account_id: owner, ...limits, max_domains, terminal_access: false });
    expect(await refusalOf(take({}, await addReseller(rig.db))), 'an account of others').toMatchObject({
      code: 'not_found',
    });
    expect(await refusalOf(take({ domain_name: `x.${name}` })), 'a taken name').toMatchObject({
      fields: taken,
    });
    expect(await refusalOf(take({ domain_name: `y.x.${reserved}` })), 'a reserved name').toMatchObject({
      code: 'invalid',
    });
    await setRoom(0);
    expect(await refusalOf(take({})), 'an account that is full').toMatchObject({ fields: overlap });
    await setRoom(10);
    await take({ allow_overlap: true, domain_name: `y.x.${name}` });
    await take({ domain_name: newName() });
    expect(asked).toEqual([]);
    expect(await refusalOf(take({}))).toMatchObject({ fields: overlap });
    expect(asked).toEqual([`_innkeeper.${name}`]);
  });

  test('while DNS is asked, nothing is locked', async () => {
    const [squatter, owner] = [await newAccount(), await newAccount()];
    const name = newName();
    await add(squatter, `x.${name}`);
    const guard = guarded([]).names;
    const resolveTxt = async () => {
      // The same account, and the same domain tree.
      await add(owner, newName());
      await add(squatter, `z.x.${name}`);
      return [guard.proofOf(owner, name).value];
    };
    const { view } = await createDomain(
      { ...admin(), names: { ...guard, resolveTxt } },
      { hosting_account_id: owner, domain_name: name },
    );
    expect(view.domain_name).toBe(name);
  });
});

describe('overlap', () => {
  test('a name below or above another account’s is refused; the account’s own are not', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const name = newName();
    await add(one, `shop.${name}`);
    for (const clash of [name, `eu.shop.${name}`, `a.b.shop.${name}`])
      expect(await refusalOf(add(other, clash))).toMatchObject({ code: 'invalid', fields: overlap });
    await add(other, `blog.${name}`);
    await add(other, `myshop.${name}`);
    await add(one, `eu.shop.${name}`);
    expect(await refusalOf(add(one, `x.blog.${name}`))).toMatchObject({ fields: overlap });
  });

  test('names that only look alike do not overlap', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const stem = fresh('alike');
    await add(one, `${stem}.example`);
    await add(other, `my${stem}.example`);
    await add(other, `my-${stem}.example`);
    await add(other, `${stem}.example.org`);
    await add(one, `${stem}.co.uk`);
    await add(other, `${stem}x.co.uk`);
  });

  test('an admin may allow it, a reseller may not', async () => {
    const reseller = await addReseller(rig.db);
    const own = await addPackage(rig.db, { owner: reseller.username });
    const theirs = (await open(reseller, { package_id: own })).accountId;
    const name = newName();
    await add(await newAccount(), name);
    const input = { hosting_account_id: theirs, domain_name: `sub.${name}`, allow_overlap: true };
    expect(await refusalOf(createDomain(reseller, input))).toMatchObject({ fields: overlap });
    expect((await createDomain(admin(), input)).view.hosting_account_id).toBe(theirs);
  });

  test('of accounts that take a name and names below it at the same time one account wins', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => newAccount()));
    for (let round = 0; round < 6; round++) {
      const name = newName();
      const names = [name, `a.${name}`, `b.a.${name}`, `c.b.a.${name}`];
      await Promise.allSettled(ids.map((id, index) => add(id, names[index % names.length] ?? name)));
      const rows = await rig.db
        .selectFrom('domains')
        .select(['account_id', 'domain_name'])
        .where('domain_name', 'in', names)
        .execute();
      expect(new Set(rows.map((row) => row.account_id)).size).toBe(1);
    }
  });
});

describe('limits', () => {
  test('of 32 creates at once exactly as many succeed as the account may have', async () => {
    const id = await newAccount({ max_domains: 5 });
    const stem = newName();
    const results = await Promise.allSettled(Array.from({ length: 32 }, (_, i) => add(id, `n${i}.${stem}`)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'quota_exceeded', message: 'Domain limit reached (5).' });
    expect((await rowOf(rig.db, id)).generation).toBe(6);
    expect((await primaryOf(id)).length).toBe(1);
  });

  test('of 32 creates of one name by as many accounts exactly one succeeds', async () => {
    const ids = await Promise.all(Array.from({ length: 32 }, () => newAccount()));
    const name = newName();
    const results = await Promise.allSettled(ids.map((id) => add(id, name)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'invalid', fields: taken });
  });

  test('a domain that is being removed makes room; its name stays taken until the node says it is gone', async () => {
    const [id, other] = [await newAccount({ max_domains: 1 }), await newAccount()];
    const name = newName();
    const { view } = await add(id, name);
    await removeDomain(admin(), { domain_id: view.id });
    await add(id, newName());
    expect(await refusalOf(add(other, name))).toMatchObject({ fields: taken });
    expect(await refusalOf(add(other, `sub.${name}`))).toMatchObject({ fields: overlap });
    await reportNewest(rig.db, id, {
      domains: [{ domain_id: view.id, status: 'absent', reason: '', certificate: null }],
    });
    expect(await refusalOf(getDomain(admin(), { domain_id: view.id }))).toMatchObject({ code: 'not_found' });
    await add(other, name);
  });

  test('a lower limit that another request sets at the same time is never exceeded', async () => {
    const id = await newAccount({ max_domains: 5 });
    await Promise.allSettled([
      ...Array.from({ length: 5 }, () => add(id, newName())),
      setAccountResources(admin(), { account_id: id, ...limits, max_domains: 1, terminal_access: false }),
    ]);
    const { max_domains } = await rowOf(rig.db, id);
    const { total } = await listDomains(admin(), { hosting_account_id: id, page: 1, per_page: 25 });
    expect(total).toBeLessThanOrEqual(max_domains);
  });
});

describe('the primary domain', () => {
  test('is the first one, moves on demand, and is the oldest left when it goes', async () => {
    const id = await newAccount();
    const [first, second, third] = [newName(), newName(), newName()];
    await add(id, first);
    await add(id, second);
    expect(await primaryOf(id)).toEqual([first]);
    const { view } = await add(id, third, { is_primary: true });
    expect(await primaryOf(id)).toEqual([third]);
    await removeDomain(admin(), { domain_id: view.id });
    expect(await primaryOf(id)).toEqual([first]);
    const spec = await specOf(rig.db, id);
    expect(
      spec?.domains.map(({ name, is_primary, desired_state }) => [name, is_primary, desired_state]),
    ).toEqual([
      [first, true, 'active'],
      [second, false, 'active'],
      [third, false, 'absent'],
    ]);
  });

  test('is none when the first says so', async () => {
    const id = await newAccount();
    await add(id, newName(), { is_primary: false });
    expect(await primaryOf(id)).toEqual([]);
  });

  test('is one, whatever asks for it at the same time', async () => {
    const id = await newAccount();
    await Promise.all(Array.from({ length: 12 }, () => add(id, newName(), { is_primary: true })));
    expect(await primaryOf(id)).toHaveLength(1);
  });

  test('the last domain leaves none', async () => {
    const id = await newAccount();
    const { view } = await add(id, newName());
    await removeDomain(admin(), { domain_id: view.id });
    expect(await primaryOf(id)).toEqual([]);
  });
});

describe('removing', () => {
  test('leaves a tombstone that is shown, and asking again changes nothing', async () => {
    const id = await newAccount();
    const { view } = await add(id, newName());
    const ctx = admin();
    const removed = await removeDomain(ctx, { domain_id: view.id });
    expect(removed).toMatchObject({ view: {}, accountId: id, generation: 3 });
    expect(await removeDomain(ctx, { domain_id: view.id })).toEqual(removed);
    expect(ctx.wakes).toHaveLength(1);
    expect(await getDomain(ctx, { domain_id: view.id })).toMatchObject({
      status: 'removing',
      is_primary: false,
    });
    expect(await auditOf(rig.db, id)).toEqual(['account.create', 'domain.create', 'domain.delete']);
    expect((await getAccount(ctx, { account_id: id, include: new Set() })).domains).toEqual([]);
  });

  test('waits for no account that is being terminated', async () => {
    const id = await newAccount();
    const { view } = await add(id, newName());
    await terminateAccount(admin(), { account_id: id });
    expect(await refusalOf(removeDomain(admin(), { domain_id: view.id }))).toMatchObject({
      code: 'precondition_failed',
    });
  });
});

describe('scope', () => {
  test('another reseller’s domains and accounts are as unknown as what does not exist', async () => {
    const owner = await addReseller(rig.db);
    const stranger = await addReseller(rig.db);
    const own = await addPackage(rig.db, { owner: owner.username });
    const account = (await open(owner, { package_id: own })).accountId;
    const domain_name = newName();
    const { view } = await createDomain(owner, { hosting_account_id: account, domain_name });
    for (const domain_id of [view.id, 9_999_999]) {
      expect(await refusalOf(getDomain(stranger, { domain_id }))).toMatchObject({ code: 'not_found' });
      expect(await refusalOf(removeDomain(stranger, { domain_id }))).toMatchObject({ code: 'not_found' });
    }
    for (const hosting_account_id of [account, 9_999_999]) {
      expect(
        await refusalOf(createDomain(stranger, { hosting_account_id, domain_name: newName() })),
      ).toMatchObject({ code: 'not_found' });
      expect(
        await refusalOf(listDomains(stranger, { hosting_account_id, page: 1, per_page: 25 })),
      ).toMatchObject({ code: 'not_found' });
    }
    expect((await listDomains(stranger, { page: 1, per_page: 25 })).total).toBe(0);
    expect((await listDomains(owner, { page: 1, per_page: 25 })).items).toMatchObject([{ id: view.id }]);
    expect((await getDomain(owner, { domain_id: view.id })).hosting_account.id).toBe(account);
  });

  test('the list is paged by age, of one account or of all', async () => {
    const id = await newAccount();
    const made: number[] = [];
    for (let i = 0; i < 3; i++) made.push((await add(id, newName())).view.id);
    const page = await listDomains(admin(), { hosting_account_id: id, page: 2, per_page: 2 });
    expect(page).toMatchObject({ page: 2, per_page: 2, total: 3 });
    expect(page.items.map((item) => item.id)).toEqual(made.slice(2));
    expect((await listDomains(admin(), { page: 1, per_page: 1 })).total).toBeGreaterThan(3);
  });
});
