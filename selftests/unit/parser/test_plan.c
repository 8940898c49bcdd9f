// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plans: a model of the kernel does their steps, which end at the configuration,
 * touch nothing that was made by hand, and never open in between.
 */
#include <fcntl.h>
#include <unistd.h>

#include "conf/plan.h"
#include "rules/xdp.h"
#include "tap.h"

#define FILTERS		6
#define RULES_MAX	400

/* What the kernel has: names of filters, and rules. */
struct model {
	struct present_filter filters[FILTERS * 2];
	size_t filter_count;
	struct present_rule rules[RULES_MAX];
	size_t rule_count;
};

static char folder[64];
static struct config config;
static struct model model;
static struct plan plan;

static const char * const names[FILTERS] = { "a", "b", "c", "d", "e", "f" };

static void read_text(const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/a.conf", folder);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	tap_require(write(fd, text, strlen(text)) == (ssize_t)strlen(text), "%s",
		    path);
	close(fd);
	config_free(&config);
	tap_require(!config_read(&config, folder, folder), "%s", text);
}

static void make_plan(const struct config *from)
{
	struct present present = {
		.filters = model.filters,
		.filter_count = model.filter_count,
		.rules = model.rules,
		.rule_count = model.rule_count,
	};

	plan_free(&plan);
	tap_require(!plan_make(&plan, from, &present), "memory");
}

static struct present_filter *find_filter(const char *name)
{
	size_t i;

	for (i = 0; i < model.filter_count; i++)
		if (!strcmp((char *)model.filters[i].info.name, name))
			return &model.filters[i];
	return NULL;
}

static bool same_place(const struct rule_key *a, const struct rule_key *b)
{
	return a->hook == b->hook && a->match == b->match && a->wait == b->wait &&
	       !strcmp(a->filter, b->filter) && !strcmp(a->dev, b->dev);
}

/* What the parameters of a new filter are. */
static void set_filter(struct present_filter *filter, const char *name,
		       const struct kcuckoo_ioc_create *create)
{
	memset(filter, 0, sizeof(*filter));
	strcpy((char *)filter->info.name, name);
	filter->managed = true;
	filter->info.type = create->type;
	filter->info.hash = create->hash ? create->hash : KCUCKOO_HASH_JHASH;
	filter->info.capacity = create->capacity;
	filter->info.value_bits = create->value_bits;
	filter->info.create_flags = create->flags;
	filter->info.timeout = create->timeout;
	filter->info.fpr = create->fpr;
	filter->info.tag_bits = create->fpr ? 13 : create->tag_bits;
}

static void attach(const struct present_rule *rule)
{
	size_t i;

	tap_require(find_filter(rule->key.filter), "no filter %s", rule->key.filter);
	tap_require(!*rule->allow || find_filter(rule->allow), "no filter %s",
		    rule->allow);
	for (i = 0; i < model.rule_count; i++) {
		struct present_rule *other = &model.rules[i];

		if (!same_place(&other->key, &rule->key) ||
		    !(other->key.family & rule->key.family))
			continue;
		tap_require(*other->label, "a rule made by hand is replaced");
		tap_require(other->key.family == rule->key.family,
			    "the families differ");
		*other = *rule;
		return;
	}
	model.rules[model.rule_count++] = *rule;
}

static void detach(const struct present_rule *rule)
{
	size_t i, left = 0;

	for (i = 0; i < model.rule_count; i++) {
		if (same_place(&model.rules[i].key, &rule->key) &&
		    model.rules[i].key.family == rule->key.family &&
		    !strcmp(model.rules[i].label, rule->label))
			continue;
		model.rules[left++] = model.rules[i];
	}
	tap_require(left < model.rule_count, "no such rule");
	tap_require(*rule->label, "a rule made by hand goes");
	model.rule_count = left;
}

static void destroy(const char *name)
{
	struct present_filter *filter = find_filter(name);
	size_t i;

	tap_require(filter && filter->managed, "%s", name);
	for (i = 0; i < model.rule_count; i++)
		tap_require(strcmp(model.rules[i].key.filter, name) &&
			    strcmp(model.rules[i].allow, name), "%s is in use", name);
	*filter = model.filters[--model.filter_count];
}

static void do_step(const struct plan_step *step)
{
	struct present_filter *filter = find_filter(step->name);

	switch (step->kind) {
	case PLAN_CREATE:
	case PLAN_PUBLISH:
		tap_require(!filter, "%s exists", step->name);
		tap_require((step->kind == PLAN_PUBLISH) == !!step->filter->lists.count,
			    "%s", step->name);
		filter = &model.filters[model.filter_count++];
		break;
	case PLAN_UPDATE:
	case PLAN_EXCHANGE:
	case PLAN_CONVERT:
		tap_require(filter && filter->managed &&
			    filter->info.type == step->filter->create.type, "%s",
			    step->name);
		tap_require((step->kind == PLAN_CONVERT) == !step->filter->lists.count,
			    "%s", step->name);
		break;
	case PLAN_ATTACH:
		attach(&step->rule);
		return;
	case PLAN_DETACH:
		detach(&step->rule);
		return;
	case PLAN_DESTROY:
		destroy(step->name);
		return;
	}
	set_filter(filter, step->name, &step->filter->create);
}

/* Is there a rule of one family at a place that is not an older one's label? */
static bool has_rule(const struct model *in, const struct rule_key *key, __u8 family)
{
	size_t i;

	for (i = 0; i < in->rule_count; i++)
		if (same_place(&in->rules[i].key, key) &&
		    in->rules[i].key.family & family)
			return true;
	return false;
}

/* A place with a rule before and after must have one all the time. */
struct guarded {
	struct rule_key key;
	__u8 family;
};

static struct guarded guarded[2 * RULES_MAX];
static size_t guarded_count;

static void find_guarded(const struct model *before, const struct model *after)
{
	static const __u8 families[] = { KCUCKOO_FAMILY_IPV4, KCUCKOO_FAMILY_IPV6 };
	size_t i, j;

	guarded_count = 0;
	for (i = 0; i < before->rule_count; i++)
		for (j = 0; j < 2; j++)
			if (before->rules[i].key.family & families[j] &&
			    has_rule(after, &before->rules[i].key, families[j]))
				guarded[guarded_count++] = (struct guarded){
					before->rules[i].key, families[j] };
}

/* Do all steps. With @watch, no guarded place may be without a rule. */
static void do_plan(bool watch)
{
	size_t i, j;

	for (i = 0; i < plan.step_count; i++) {
		do_step(&plan.steps[i]);
		for (j = 0; j < guarded_count && watch; j++)
			tap_require(has_rule(&model, &guarded[j].key,
					     guarded[j].family),
				    "step %zu opens '%s'", i,
				    guarded[j].key.filter);
	}
}

/* Append a random configuration of a few filters and rules to @text. */
static void random_config(char *text)
{
	static const char * const hooks[] = {
		"prerouting", "input", "ingress\ndev = eth0", "ingress\ndev = eth0 ppp*",
		"xdp",
	};
	static const char * const families[] = { "ipv4", "ipv6", "both" };
	static const char * const actions[] = { "drop", "count", "mark=7" };
	unsigned int used = 0, i;

	*text = 0;
	for (i = 0; i < FILTERS; i++) {
		if (random_below(3))
			used |= 1 << i;
		else
			continue;
		text += sprintf(text, "[filter %s]\n", names[i]);
		if (i % 2)
			text += sprintf(text, "list = /%s\n", names[i]);
		if (!random_below(3))
			text += sprintf(text, "timeout = 1h\n");
		if (!random_below(3))
			text += sprintf(text, "hash = siphash\n");
	}
	/* One filter has one rule at most, so that no two are the same. */
	for (i = 0; i < FILTERS; i++) {
		unsigned int allow = random_below(FILTERS);
		unsigned int hook = random_below(TAP_COUNT(hooks));

		if (!(used & 1 << i) || !random_below(3))
			continue;
		text += sprintf(text, "[rule r%u]\nfilter = %s\nhook = %s\nfamily = %s\n",
				random_below(2) ? i : i + 10, names[i], hooks[hook],
				families[random_below(3)]);
		/* A device can have one rule of hook xdp. */
		if (hook == 4)
			text += sprintf(text, "dev = x%u\n", i);
		text += sprintf(text, "action = %s\n",
				actions[random_below(hook == 4 ? 2 : 3)]);
		if (used & 1 << allow && allow != i && random_below(2))
			text += sprintf(text, "allow = %s\n", names[allow]);
	}
	if (!used)
		strcpy(text, "# nothing\n");
}

/* Things made by hand that are in nobody's way. */
static void add_foreign(void)
{
	struct present_rule *rule = &model.rules[model.rule_count++];
	struct kcuckoo_ioc_create create = { .type = KCUCKOO_TYPE_INET };

	memset(rule, 0, sizeof(*rule));
	strcpy(rule->key.filter, "mine");
	rule->key.family = KCUCKOO_FAMILY_BOTH;
	set_filter(&model.filters[model.filter_count], "mine", &create);
	model.filters[model.filter_count++].managed = false;
}

/* The configuration is reached: a new plan only updates from lists. */
static void expect_reached(const char *text)
{
	size_t i;

	make_plan(&config);
	tap_require(!plan.conflicts && !plan.gaps, "%s", text);
	for (i = 0; i < plan.step_count; i++)
		tap_require(plan.steps[i].kind == PLAN_UPDATE, "step %d: %s",
			    plan.steps[i].kind, text);
	tap_require(plan.note_count == 2 &&
		    plan.notes[0].kind == PLAN_OTHER_FILTER &&
		    plan.notes[1].kind == PLAN_OTHER_RULE, "%zu notes",
		    plan.note_count);
	tap_require(find_filter("mine") && !find_filter("mine")->managed, "mine");
}

static void test_random(void)
{
	static struct model before, after;
	char text[4096];
	int i, watched = 0;

	memset(&model, 0, sizeof(model));
	add_foreign();
	for (i = 0; i < 3000; i++) {
		random_config(text);
		read_text(text);
		before = model;
		guarded_count = 0;
		make_plan(&config);
		tap_require(!plan.conflicts, "%s", text);
		do_plan(false);
		after = model;
		expect_reached(text);
		if (random_below(4) == 0)
			continue;
		/* Once more, and now the end is known. */
		model = before;
		find_guarded(&before, &after);
		make_plan(&config);
		watched += !plan.gaps && guarded_count;
		do_plan(!plan.gaps);
		tap_require(model.rule_count == after.rule_count, "%s", text);
	}
	tap_require(watched > 1000, "%d", watched);
}

/* The step number @number is of @kind, for the filter @name. */
static void expect_step(size_t number, enum plan_kind kind, const char *name)
{
	const struct plan_step *step = &plan.steps[number];

	tap_require(number < plan.step_count, "%zu steps", plan.step_count);
	tap_require(step->kind == kind && !strcmp(step->name, name),
		    "step %zu: %d %s", number, step->kind, step->name);
}

static void expect_rule(size_t number, enum plan_kind kind, const char *filter,
			__u8 family, bool gap)
{
	const struct plan_step *step = &plan.steps[number];

	tap_require(number < plan.step_count, "%zu steps", plan.step_count);
	tap_require(step->kind == kind && !strcmp(step->rule.key.filter, filter) &&
		    step->rule.key.family == family && step->gap == gap,
		    "step %zu: %d %s family %d", number, step->kind,
		    step->rule.key.filter, step->rule.key.family);
}

/* Allow filters come first, rules last; old rules go after new ones came. */
static void test_order(void)
{
	const __u8 both = KCUCKOO_FAMILY_BOTH;

	memset(&model, 0, sizeof(model));
	read_text("[filter bad]\nlist = /bad\n[filter bans]\n[filter never]\n"
		  "list = /never\n[rule r]\nfilter = bad bans\nallow = never\n");
	make_plan(&config);
	tap_require(plan.step_count == 5 && !plan.note_count, "%zu", plan.step_count);
	expect_step(0, PLAN_PUBLISH, "never");
	expect_step(1, PLAN_PUBLISH, "bad");
	expect_step(2, PLAN_CREATE, "bans");
	expect_rule(3, PLAN_ATTACH, "bad", both, false);
	expect_rule(4, PLAN_ATTACH, "bans", both, false);
	tap_require(!strcmp(plan.steps[4].rule.allow, "never") &&
		    !strcmp(plan.steps[4].rule.label, "r"), "fields");
	do_plan(false);
	read_text("[filter bad]\nlist = /bad\nhash = siphash\n[filter more]\n"
		  "[rule r]\nfilter = bad more\nhook = ingress\ndev = ppp*\n");
	make_plan(&config);
	tap_require(plan.step_count == 8, "%zu", plan.step_count);
	expect_step(0, PLAN_EXCHANGE, "bad");
	expect_step(1, PLAN_CREATE, "more");
	expect_rule(2, PLAN_ATTACH, "bad", both, false);
	expect_rule(3, PLAN_ATTACH, "more", both, false);
	expect_rule(4, PLAN_DETACH, "bad", both, false);
	expect_rule(5, PLAN_DETACH, "bans", both, false);
	tap_require(plan.steps[2].rule.key.wait && !plan.steps[4].rule.key.wait,
		    "wait");
	do_plan(false);
	read_text("[filter more]\ntimeout = 1h\n");
	make_plan(&config);
	tap_require(plan.step_count == 4, "%zu", plan.step_count);
	expect_step(0, PLAN_CONVERT, "more");
	expect_step(3, PLAN_DESTROY, "bad");
}

/* A family can be added without a gap, but not taken away. */
static void test_family(void)
{
	memset(&model, 0, sizeof(model));
	read_text("[filter f]\n[rule r]\nfilter = f\nfamily = ipv4\n");
	make_plan(&config);
	do_plan(false);
	read_text("[filter f]\n[rule r]\nfilter = f\naction = count\n");
	make_plan(&config);
	tap_require(plan.step_count == 2 && !plan.gaps, "%zu", plan.step_count);
	expect_rule(0, PLAN_ATTACH, "f", KCUCKOO_FAMILY_IPV4, false);
	expect_rule(1, PLAN_ATTACH, "f", KCUCKOO_FAMILY_IPV6, false);
	memset(&model, 0, sizeof(model));
	make_plan(&config);
	do_plan(false);
	read_text("[filter f]\n[rule r]\nfilter = f\nfamily = ipv6\n");
	make_plan(&config);
	tap_require(plan.step_count == 2 && plan.gaps == 1, "%zu", plan.step_count);
	expect_rule(0, PLAN_DETACH, "f", KCUCKOO_FAMILY_BOTH, true);
	expect_rule(1, PLAN_ATTACH, "f", KCUCKOO_FAMILY_IPV6, true);
}

/* The kernel lists a rule with a pattern once for each device. */
static void test_pattern(void)
{
	memset(&model, 0, sizeof(model));
	read_text("[filter f]\n[rule r]\nfilter = f\nhook = ingress\ndev = ppp*\n");
	make_plan(&config);
	do_plan(false);
	model.rules[1] = model.rules[0];
	model.rule_count = 2;
	make_plan(&config);
	tap_require(!plan.step_count, "%zu", plan.step_count);
	read_text("[filter f]\n");
	make_plan(&config);
	tap_require(plan.step_count == 1, "%zu", plan.step_count);
	expect_rule(0, PLAN_DETACH, "f", KCUCKOO_FAMILY_BOTH, false);
	read_text("[filter f]\n[rule r]\nfilter = f\nhook = ingress\ndev = ppp*\n"
		  "action = count\n");
	make_plan(&config);
	tap_require(plan.step_count == 1, "%zu", plan.step_count);
}

/* With an empty configuration all that was marked goes, and nothing else. */
static void test_down(void)
{
	static const struct config none;

	memset(&model, 0, sizeof(model));
	add_foreign();
	read_text("[filter f]\n[filter g]\nlist = /g\n[rule r]\nfilter = f g\n");
	make_plan(&config);
	do_plan(false);
	make_plan(&none);
	do_plan(false);
	tap_require(model.filter_count == 1 && model.rule_count == 1, "%zu %zu",
		    model.filter_count, model.rule_count);
	tap_require(find_filter("mine"), "mine");
}

static void expect_note(enum plan_note_kind kind, const char *name, unsigned int line)
{
	tap_require(plan.conflicts == 1 && plan.note_count >= 1, "%zu",
		    plan.conflicts);
	tap_require(plan.notes[0].kind == kind && !strcmp(plan.notes[0].name, name) &&
		    plan.notes[0].place.line == line, "%d %s %u",
		    plan.notes[0].kind, plan.notes[0].name, plan.notes[0].place.line);
}

static void test_conflicts(void)
{
	static const struct config none;

	memset(&model, 0, sizeof(model));
	read_text("\n[filter f]\n\n[rule r]\nfilter = f\n");
	make_plan(&config);
	do_plan(false);
	model.filters[0].managed = false;
	make_plan(&config);
	expect_note(PLAN_TAKEN_FILTER, "f", 2);
	model.filters[0].managed = true;
	model.filters[0].info.type = KCUCKOO_TYPE_BYTES;
	make_plan(&config);
	expect_note(PLAN_OTHER_TYPE, "f", 2);
	model.filters[0].info.type = KCUCKOO_TYPE_INET;
	*model.rules[0].label = 0;
	model.rules[0].key.family = KCUCKOO_FAMILY_IPV6;
	make_plan(&config);
	expect_note(PLAN_TAKEN_RULE, "f", 4);
	tap_require(plan.note_count == 1 && !plan.step_count, "%zu", plan.step_count);
	make_plan(&none);
	expect_note(PLAN_BUSY_FILTER, "f", 0);
	strcpy(model.rules[0].key.filter, "g");
	strcpy(model.rules[0].allow, "f");
	make_plan(&none);
	expect_note(PLAN_BUSY_FILTER, "f", 0);
	make_plan(&config);
	tap_require(!plan.conflicts && plan.note_count == 1 &&
		    plan.notes[0].kind == PLAN_OTHER_RULE, "%zu", plan.conflicts);
}

static const struct tap_test tests[] = {
	{ "plan.order: filters before rules, new rules before old ones go", test_order },
	{ "plan.family: only fewer families open in between", test_family },
	{ "plan.pattern: a rule with a pattern is one rule", test_pattern },
	{ "plan.down: an empty configuration removes what is marked", test_down },
	{ "plan.conflicts: what was made by hand is left alone", test_conflicts },
	{ "plan.random: steps end at the configuration and never open", test_random },
};

int main(int argc, char **argv)
{
	char path[128];
	int ret;

	strcpy(folder, "/tmp/kcuckoo-plan-XXXXXX");
	if (!mkdtemp(folder)) {
		perror(folder);
		return 2;
	}
	ret = tap_main(argc, argv, tests, TAP_COUNT(tests));
	plan_free(&plan);
	config_free(&config);
	snprintf(path, sizeof(path), "%s/a.conf", folder);
	unlink(path);
	rmdir(folder);
	return ret;
}
