// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/kcuckoo: the device and its operations.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "device.h"

/**
 * struct kcuckoo_operation - one row of the table of operations
 * @call: does it
 * @request: KCUCKOO_IOC_*
 * @size: size of its argument here, in bytes
 * @min_size: size of its argument in the first version, in bytes
 * @output: the argument is copied back
 */
struct kcuckoo_operation {
	int (*call)(struct kcuckoo_net *net, union kcuckoo_argument *arg);
	unsigned int request;
	u16 size;
	u16 min_size;
	bool output;
};

#define KCUCKOO_OPERATION(name_, request_, last_, output_)		\
	[_IOC_NR(request_)] = {						\
		.call = kcuckoo_ioc_##name_,				\
		.request = request_,					\
		.size = sizeof(struct kcuckoo_ioc_##name_),		\
		.min_size = offsetofend(struct kcuckoo_ioc_##name_,	\
					last_),				\
		.output = output_,					\
	}

/* The third column is the last field of the first version. */
static const struct kcuckoo_operation kcuckoo_operations[] = {
	KCUCKOO_OPERATION(create, KCUCKOO_IOC_CREATE, capacity, false),
	KCUCKOO_OPERATION(destroy, KCUCKOO_IOC_DESTROY, name, false),
	KCUCKOO_OPERATION(rename, KCUCKOO_IOC_RENAME, new_name, false),
	KCUCKOO_OPERATION(swap, KCUCKOO_IOC_SWAP, with, false),
	KCUCKOO_OPERATION(replace, KCUCKOO_IOC_REPLACE, with, false),
	KCUCKOO_OPERATION(flush, KCUCKOO_IOC_FLUSH, name, false),
	KCUCKOO_OPERATION(reserve, KCUCKOO_IOC_RESERVE, count, false),
	KCUCKOO_OPERATION(compact, KCUCKOO_IOC_COMPACT, name, false),
	KCUCKOO_OPERATION(add, KCUCKOO_IOC_ADD, existed, true),
	KCUCKOO_OPERATION(del, KCUCKOO_IOC_DEL, absent, true),
	KCUCKOO_OPERATION(test, KCUCKOO_IOC_TEST, reserved, true),
	KCUCKOO_OPERATION(walk, KCUCKOO_IOC_WALK, reserved, true),
	KCUCKOO_OPERATION(info, KCUCKOO_IOC_INFO, refused, true),
	KCUCKOO_OPERATION(list, KCUCKOO_IOC_LIST, total, true),
	KCUCKOO_OPERATION(attach, KCUCKOO_IOC_ATTACH, reserved, false),
	KCUCKOO_OPERATION(detach, KCUCKOO_IOC_DETACH, removed, true),
	KCUCKOO_OPERATION(rules, KCUCKOO_IOC_RULES, total, true),
	KCUCKOO_OPERATION(stats, KCUCKOO_IOC_STATS, max_bytes, true),
};

static bool kcuckoo_device_permitted(struct file *file,
				     const struct kcuckoo_net *net)
{
	return ns_capable(net->user_ns, CAP_NET_ADMIN) &&
	       file_ns_capable(file, net->user_ns, CAP_NET_ADMIN);
}

/*
 * Copies the argument in, calls, copies it out. It is written back once before
 * the call, unchanged, so that a call that has done something can tell.
 */
static int kcuckoo_device_call(const struct kcuckoo_operation *operation,
			       struct kcuckoo_net *net, void __user *argument)
{
	union kcuckoo_argument arg;
	u32 size;
	u32 out;
	int err;

	if (get_user(size, (u32 __user *)argument))
		return -EFAULT;
	if (size < operation->min_size)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	memset(&arg, 0, sizeof(arg));
	err = copy_struct_from_user(&arg, operation->size, argument, size);
	if (err)
		return err;
	out = operation->output ? min_t(u32, size, operation->size) : 0;
	if (copy_to_user(argument, &arg, out))
		return -EFAULT;
	err = operation->call(net, &arg);
	if (err)
		return err;
	return copy_to_user(argument, &arg, out) ? -EFAULT : 0;
}

static long kcuckoo_device_ioctl(struct file *file, unsigned int request,
				 unsigned long argument)
{
	struct kcuckoo_net *net = file->private_data;
	const struct kcuckoo_operation *operation;
	unsigned int number = _IOC_NR(request);

	if (number >= ARRAY_SIZE(kcuckoo_operations))
		return -ENOTTY;
	operation = &kcuckoo_operations[number];
	if (operation->request != request)
		return -ENOTTY;
	if (!kcuckoo_device_permitted(file, net))
		return -EPERM;
	if (kcuckoo_net_dead(net))
		return -ENODEV;
	return kcuckoo_device_call(operation, net, (void __user *)argument);
}

/* The opener's network namespace is the descriptor's for good. */
static int kcuckoo_device_open(struct inode *inode, struct file *file)
{
	struct kcuckoo_net *net = kcuckoo_net_of(current->nsproxy->net_ns);

	file->private_data = kcuckoo_net_get(net);
	return nonseekable_open(inode, file);
}

static int kcuckoo_device_release(struct inode *inode, struct file *file)
{
	kcuckoo_net_put(file->private_data);
	return 0;
}

static const struct file_operations kcuckoo_device_operations = {
	.owner = THIS_MODULE,
	.open = kcuckoo_device_open,
	.release = kcuckoo_device_release,
	.unlocked_ioctl = kcuckoo_device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice kcuckoo_device = {
	.minor = KCUCKOO_MINOR,
	.name = "kcuckoo",
	.fops = &kcuckoo_device_operations,
	.mode = 0600,
};

/**
 * kcuckoo_device_init() - make the device
 *
 * Falls back to a dynamic minor where somebody else has ours.
 *
 * Return: 0 or a negative errno.
 */
int kcuckoo_device_init(void)
{
	int err;

	err = misc_register(&kcuckoo_device);
	if (err == -EBUSY) {
		kcuckoo_device.minor = MISC_DYNAMIC_MINOR;
		err = misc_register(&kcuckoo_device);
	}
	return err;
}

/**
 * kcuckoo_device_exit() - remove the device; no descriptor is open
 */
void kcuckoo_device_exit(void)
{
	misc_deregister(&kcuckoo_device);
}
