import { plainSite } from '@innkeeper/protocol';
import {
  createDomain,
  createNameGuard,
  findOverlapsOf,
  getAccount,
  getDomain,
  listAudit,
  listReservedOverlaps,
  type NewDomain,
  noNameGuard,
  overlapSentence,
  removeDomain,
  type ServiceContext,
  setAccountResources,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, addReseller, auditOf, open, reportNewest, rowOf, specOf } from './fixtures.ts';
import { signer } from './panel-users.ts';
import { fresh, limits } from './records.ts';
import { expectRefusal, invalid, refusalOf } from './refusals.ts';

const rig = useDatabaseRig({ max_domains: 100 });
const { admin, newAccount } = rig;

const add = (hosting_account_id: number, domain_name: string, more: Partial<NewDomain> = {}) =>
  createDomain(admin(), { hosting_account_id, domain_name, ...more });
const newName = () => `${fresh('site')}.example`;
const primaryOf = async (account_id: number) =>
  (await getAccount(admin(), { account_id, include: new Set() })).domains
    .filter(({ is_primary }) => is_primary)
    .map(({ domain_name }) => domain_name);

const overlap = invalid({
  domain_name: expect.stringMatching(
    /^The domain name is below or above a domain of another account\. If it is yours, add the TXT record /,
  ),
});
const taken = invalid({ domain_name: 'The domain name has already been taken.' });

describe('adding', () => {
  test('the domain is pending, in the next generation’s spec, audited, and the node is woken', async () => {
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
    expect(spec.domains).toEqual([
      {
        domain_id: view.id,
        name,
        is_primary: true,
        desired_state: 'active',
        certificate_revision: 0,
        alias_of: null,
        site: plainSite,
      },
    ]);
    expect(await auditOf(rig.db, hosting_account_id)).toEqual(['account.create', 'domain.create']);
    await reportNewest(rig.db, hosting_account_id, {
      domains: [{ domain_id: view.id, status: 'active', reason: '', certificate: null }],
    });
    expect((await getDomain(ctx, { domain_id: view.id })).status).toBe('active');
  });

  test.each(['co.uk', 'com.au', 'xn--55qx5d.cn'])('the public suffix %s is refused', async (name) => {
    await expectRefusal(
      add(await newAccount(), name),
      invalid({ domain_name: 'The domain name field must not be a public suffix.' }),
    );
  });

  test('a domain name is unique on all nodes', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const name = newName();
    await add(one, name);
    for (const id of [one, other]) await expectRefusal(add(id, name), taken);
    await expectRefusal(add(other, name, { allow_overlap: true }), taken);
  });
});

/** Returns the context of a control plane with these reserved names and these TXT records in DNS. */
const guarded = (names: readonly string[], txtRecords: Map<string, string[]> = new Map()) => ({
  ...admin(),
  names: createNameGuard({
    names,
    dns: { ...noNameGuard, resolveTxt: async (name) => txtRecords.get(name) ?? [] },
    signer,
  }),
});

describe('a name', () => {
  const reserved = invalid({
    domain_name:
      'The domain name is reserved: it is a name of the provider, or a parent or subdomain of one.',
  });

  test('of the provider or of a node, or above or below one, is refused; existing domains stay and are reported', async () => {
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
        await expectRefusal(asked, reserved, domain_name);
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

  test('of the provider may be allowed by an admin, and the overlap is audited and shown', async () => {
    const own = newName();
    const hosting_account_id = await newAccount();
    const input = { hosting_account_id, domain_name: `shop.${own}`, allow_overlap: true };
    const ctx = guarded([own]);
    const reseller = { ...(await addReseller(rig.db)), names: ctx.names };
    const package_id = await addPackage(rig.db, { owner: reseller.username });
    const theirs = (await open(reseller, { package_id })).accountId;
    const refused = createDomain(reseller, { ...input, hosting_account_id: theirs });
    await expectRefusal(refused, reserved);
    await expectRefusal(createDomain(ctx, { ...input, allow_overlap: false }), reserved);
    const { view } = await createDomain(ctx, input);
    const [row] = (await listAudit(admin(), { account_id: hosting_account_id, limit: 1 })).items;
    expect(row).toMatchObject({ action: 'domain.create', details: { overlaps_reserved: own } });
    const overlaps = await listReservedOverlaps(rig.db, ctx.names.reserved);
    expect(overlaps.map(overlapSentence).join()).toContain(
      `The domain ${view.domain_name} of the account ${(await rowOf(rig.db, hosting_account_id)).username} overlaps the reserved name ${own}`,
    );
  });

  test('that overlaps another account’s domain needs the TXT record that the refusal names', async () => {
    const [squatter, owner, third] = [await newAccount(), await newAccount(), await newAccount()];
    const name = newName();
    await add(squatter, `x.${name}`);
    const txtRecords = new Map<string, string[]>();
    const ctx = guarded([], txtRecords);
    const take = (hosting_account_id: number, domain_name = name) =>
      createDomain(ctx, { hosting_account_id, domain_name });
    const recordOf = async (accountId: number) => {
      const { fields } = (await refusalOf(take(accountId))) as { fields: { domain_name: string[] } };
      expect(fields).toEqual(overlap.fields);
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
      await expectRefusal(take(owner), overlap, wrongRecords.join());
    }
    txtRecords.set(record, ['v=spf1 -all', value]);
    await expectRefusal(take(third), overlap, 'the record of another account');
    await expectRefusal(take(owner, `x.${name}`), taken, 'a name that is taken');
    expect((await take(owner)).view).toMatchObject({ domain_name: name, hosting_account_id: owner });
    const [row] = (await listAudit(admin(), { account_id: owner, limit: 1 })).items;
    expect(row).toMatchObject({ action: 'domain.create', details: { proven_by: 'dns' } });
  });

  test('DNS is asked only where the answer decides', async () => {
    const [squatter, owner] = [await newAccount(), await newAccount()];
    const reserved = newName();
    const name = newName();
    for (const taken of [`x.${name}`, `x.${reserved}`]) await add(squatter, taken);
    const asked: string[] = [];
    const names = createNameGuard({
      names: [reserved],
      dns: {
        ...noNameGuard,
        resolveTxt: async (record) => {
          asked.push(record);
          return [];
        },
      },
      signer,
    });
    const take = (changes: Partial<NewDomain>, ctx: ServiceContext = admin()) =>
      createDomain({ ...ctx, names }, { hosting_account_id: owner, domain_name: name, ...changes });
    const setRoom = (max_domains: number) =>
      setAccountResources(admin(), { account_id: owner, ...limits, max_domains, terminal_access: false });
    await expectRefusal(take({}, await addReseller(rig.db)), 'not_found', 'an account of others');
    await expectRefusal(take({ domain_name: `x.${name}` }), taken, 'a taken name');
    await expectRefusal(take({ domain_name: `y.x.${reserved}` }), 'invalid', 'a reserved name');
    await setRoom(0);
    await expectRefusal(take({}), overlap, 'an account that is full');
    await setRoom(10);
    await take({ allow_overlap: true, domain_name: `y.x.${name}` });
    await take({ domain_name: newName() });
    expect(asked).toEqual([]);
    await expectRefusal(take({}), overlap);
    expect(asked).toEqual([`_innkeeper.${name}`]);
  });

  test('no lock is held while DNS is asked', async () => {
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
  test('a name below or above another account’s is refused; below or above the account’s own it is allowed', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const name = newName();
    await add(one, `shop.${name}`);
    for (const clash of [name, `eu.shop.${name}`, `a.b.shop.${name}`])
      await expectRefusal(add(other, clash), overlap);
    await add(other, `blog.${name}`);
    await add(other, `myshop.${name}`);
    await add(one, `eu.shop.${name}`);
    await expectRefusal(add(one, `x.blog.${name}`), overlap);
  });

  test('names with a common ending but no common labels do not overlap', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const stem = fresh('alike');
    await add(one, `${stem}.example`);
    await add(other, `my${stem}.example`);
    await add(other, `my-${stem}.example`);
    await add(other, `${stem}.example.org`);
    await add(one, `${stem}.co.uk`);
    await add(other, `${stem}x.co.uk`);
  });

  test('an admin may allow an overlap, a reseller may not', async () => {
    const reseller = await addReseller(rig.db);
    const own = await addPackage(rig.db, { owner: reseller.username });
    const theirs = (await open(reseller, { package_id: own })).accountId;
    const name = newName();
    await add(await newAccount(), name);
    const input = { hosting_account_id: theirs, domain_name: `sub.${name}`, allow_overlap: true };
    await expectRefusal(createDomain(reseller, input), overlap);
    expect((await createDomain(admin(), input)).view.hosting_account_id).toBe(theirs);
  });

  test('of 8 accounts that add a name and names below it at the same time, one account succeeds', async () => {
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
  test('of 32 concurrent creates of one name by 32 accounts exactly one succeeds', async () => {
    const ids = await Promise.all(Array.from({ length: 32 }, () => newAccount()));
    const name = newName();
    const results = await Promise.allSettled(ids.map((id) => add(id, name)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(taken);
  });

  test('the name of a domain that is being removed stays taken until the node reports it gone', async () => {
    const [id, other] = [await newAccount({ max_domains: 1 }), await newAccount()];
    const name = newName();
    const { view } = await add(id, name);
    await removeDomain(admin(), { domain_id: view.id });
    await add(id, newName());
    await expectRefusal(add(other, name), taken);
    await expectRefusal(add(other, `sub.${name}`), overlap);
    await reportNewest(rig.db, id, {
      domains: [{ domain_id: view.id, status: 'absent', reason: '', certificate: null }],
    });
    await expectRefusal(getDomain(admin(), { domain_id: view.id }), 'not_found');
    await add(other, name);
  });
});

describe('the primary domain', () => {
  test('is the first domain, can be changed, and becomes the oldest domain when it is removed', async () => {
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

  test('does not exist when the first domain is created as not primary', async () => {
    const id = await newAccount();
    await add(id, newName(), { is_primary: false });
    expect(await primaryOf(id)).toEqual([]);
  });

  test.each([{}, { is_primary: true }])('is exactly one after 12 creates at once with %j', async (more) => {
    const id = await newAccount();
    await Promise.all(Array.from({ length: 12 }, () => add(id, newName(), more)));
    expect(await primaryOf(id)).toHaveLength(1);
  });

  test('does not exist after the last domain is removed', async () => {
    const id = await newAccount();
    const { view } = await add(id, newName());
    await removeDomain(admin(), { domain_id: view.id });
    expect(await primaryOf(id)).toEqual([]);
  });
});

describe('removing', () => {
  test('leaves a visible tombstone; a second removal changes nothing', async () => {
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
});
