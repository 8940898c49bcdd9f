// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers /dev/kcuckoo, opens and closes descriptors, checks permission, and calls the
 * operation of each ioctl.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "dev/device.h"

/**
 * struct kcuckoo_operation - one row of the table of operations
 * @call: the function of an operation that uses the descriptor, or NULL if the
 *	operation has @on_net
 * @on_net: the function of an operation that uses only the namespace, or NULL if the
 *	operation has @call
 * @request: the ioctl number, KCUCKOO_IOC_*
 * @size: size of the argument in this version of the module, in bytes
 * @min_size: size of the argument in the first version of the interface, in bytes
 * @output: true if the argument is copied back to user memory after the call
 */
struct kcuckoo_operation {
	int (*call)(struct kcuckoo_descriptor *descriptor,
		    union kcuckoo_argument *arg);
	int (*on_net)(struct kcuckoo_net *net, union kcuckoo_argument *arg);
	unsigned int request;
	u16 size;
	u16 min_size;
	bool output;
};

/*
 * The row of an operation that uses the descriptor. The comment of kcuckoo_operations
 * explains the parameters.
 */
#define KCUCKOO_OPERATION(name_, request_, last_, output_)		\
	KCUCKOO_ROW(call, name_, request_, last_, output_)

/* The row of an operation whose function is stored in the field @column_. */
#define KCUCKOO_ROW(column_, name_, request_, last_, output_)		\
	[_IOC_NR(request_)] = {						\
		.column_ = kcuckoo_ioc_##name_,				\
		.request = request_,					\
		.size = sizeof(struct kcuckoo_ioc_##name_),		\
		.min_size = offsetofend(struct kcuckoo_ioc_##name_,	\
					last_),				\
		.output = output_,					\
	}

/*
 * All operations, by number of the ioctl. Each row has the name of the operation, the ioctl
 * number, the last field of the argument in the first version of the interface, and
 * whether the argument is copied back.
 */
static const struct kcuckoo_operation kcuckoo_operations[] = {
	KCUCKOO_OPERATION(create, KCUCKOO_IOC_CREATE, capacity, false),
	KCUCKOO_OPERATION(destroy, KCUCKOO_IOC_DESTROY, name, false),
	KCUCKOO_OPERATION(rename, KCUCKOO_IOC_RENAME, new_name, false),
	KCUCKOO_ROW(on_net, swap, KCUCKOO_IOC_SWAP, other, false),
	KCUCKOO_OPERATION(replace, KCUCKOO_IOC_REPLACE, other, false),
	KCUCKOO_OPERATION(flush, KCUCKOO_IOC_FLUSH, name, false),
	KCUCKOO_OPERATION(reserve, KCUCKOO_IOC_RESERVE, count, false),
	KCUCKOO_OPERATION(compact, KCUCKOO_IOC_COMPACT, name, false),
	KCUCKOO_OPERATION(add, KCUCKOO_IOC_ADD, existed, true),
	KCUCKOO_OPERATION(del, KCUCKOO_IOC_DEL, absent, true),
	KCUCKOO_OPERATION(test, KCUCKOO_IOC_TEST, max_values, true),
	KCUCKOO_OPERATION(walk, KCUCKOO_IOC_WALK, reserved, true),
	KCUCKOO_OPERATION(info, KCUCKOO_IOC_INFO, refused, true),
	KCUCKOO_ROW(on_net, list, KCUCKOO_IOC_LIST, total, true),
	KCUCKOO_ROW(on_net, attach, KCUCKOO_IOC_ATTACH, mark, false),
	KCUCKOO_ROW(on_net, detach, KCUCKOO_IOC_DETACH, removed, true),
	KCUCKOO_ROW(on_net, rules, KCUCKOO_IOC_RULES, total, true),
	KCUCKOO_ROW(on_net, stats, KCUCKOO_IOC_STATS, max_bytes, true),
	KCUCKOO_OPERATION(update, KCUCKOO_IOC_UPDATE, values, true),
	KCUCKOO_OPERATION(merge, KCUCKOO_IOC_MERGE, from, false),
	KCUCKOO_OPERATION(save, KCUCKOO_IOC_SAVE, total, true),
	KCUCKOO_OPERATION(restore, KCUCKOO_IOC_RESTORE, total, true),
	KCUCKOO_ROW(on_net, slot, KCUCKOO_IOC_SLOT, id, true),
	KCUCKOO_OPERATION(subscribe, KCUCKOO_IOC_SUBSCRIBE, length, false),
};

/*
 * Checks whether both the caller and the opener of the descriptor have CAP_NET_ADMIN in
 * the user namespace that owns the descriptor's network namespace.
 */
static bool kcuckoo_device_permitted(struct file *file,
				     const struct kcuckoo_net *net)
{
	return ns_capable(net->user_ns, CAP_NET_ADMIN) &&
	       file_ns_capable(file, net->user_ns, CAP_NET_ADMIN);
}

/*
 * Copies the argument in, calls the operation, and copies the argument out.
 *
 * The size of the argument is in its first field. A program that is older than the
 * module passes fewer fields: the missing fields count as zero. A newer program can
 * pass fields that the module does not know: these fields must be zero. If the
 * operation has output, the argument is also written back unchanged before the call. So
 * if the memory of the argument cannot be written, the ioctl fails before the operation
 * begins.
 */
static int kcuckoo_device_call(const struct kcuckoo_operation *operation,
			       struct kcuckoo_descriptor *descriptor,
			       void __user *argument)
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
	if (operation->call)
		err = operation->call(descriptor, &arg);
	else
		err = operation->on_net(descriptor->net, &arg);
	/* If the namespace ended during the call, ENODEV is the most helpful error. */
	if (kcuckoo_net_dead(descriptor->net))
		return -ENODEV;
	if (err)
		return err;
	return copy_to_user(argument, &arg, out) ? -EFAULT : 0;
}

static long kcuckoo_device_ioctl(struct file *file, unsigned int request,
				 unsigned long argument)
{
	struct kcuckoo_descriptor *descriptor = file->private_data;
	struct kcuckoo_net *net = descriptor->net;
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
	return kcuckoo_device_call(operation, descriptor,
				   (void __user *)argument);
}

static ssize_t kcuckoo_device_read(struct file *file, char __user *buffer,
				   size_t size, loff_t *position)
{
	struct kcuckoo_descriptor *descriptor = file->private_data;

	if (!kcuckoo_device_permitted(file, descriptor->net))
		return -EPERM;
	if (kcuckoo_net_dead(descriptor->net))
		return -ENODEV;
	return kcuckoo_events_read(descriptor, (u8 __user *)buffer, size,
				   file->f_flags & O_NONBLOCK);
}

static __poll_t kcuckoo_device_poll(struct file *file, poll_table *table)
{
	return kcuckoo_events_poll(file->private_data, file, table);
}

/* Without CAP_NET_ADMIN all operations would fail, so open() returns EPERM in this case. */
static int kcuckoo_device_open(struct inode *inode, struct file *file)
{
	struct kcuckoo_net *net = kcuckoo_net_of(current->nsproxy->net_ns);
	struct kcuckoo_descriptor *descriptor;

	if (!ns_capable(net->user_ns, CAP_NET_ADMIN))
		return -EPERM;
	descriptor = kmalloc(sizeof(*descriptor), GFP_KERNEL_ACCOUNT);
	if (!descriptor)
		return -ENOMEM;
	descriptor->net = kcuckoo_net_get(net);
	kcuckoo_transfer_init(&descriptor->transfer, net);
	kcuckoo_staged_init(descriptor);
	descriptor->events = NULL;
	file->private_data = descriptor;
	return nonseekable_open(inode, file);
}

static int kcuckoo_device_release(struct inode *inode, struct file *file)
{
	struct kcuckoo_descriptor *descriptor = file->private_data;

	kcuckoo_events_end(descriptor);
	kcuckoo_transfer_end(&descriptor->transfer, descriptor->net);
	kcuckoo_staged_end(descriptor);
	kcuckoo_net_put(descriptor->net);
	kfree(descriptor);
	return 0;
}

static const struct file_operations kcuckoo_device_operations = {
	.owner = THIS_MODULE,
	.open = kcuckoo_device_open,
	.release = kcuckoo_device_release,
	.read = kcuckoo_device_read,
	.poll = kcuckoo_device_poll,
	.unlocked_ioctl = kcuckoo_device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice kcuckoo_device = {
	.minor = KCUCKOO_MINOR,
	.name = "kcuckoo",
	.fops = &kcuckoo_device_operations,
	.mode = 0660,
};

/**
 * kcuckoo_device_init() - register the device
 *
 * Falls back to a dynamic minor if another driver uses KCUCKOO_MINOR.
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
 * kcuckoo_device_exit() - unregister the device
 *
 * No descriptor is open, because each descriptor holds a reference to the module.
 */
void kcuckoo_device_exit(void)
{
	misc_deregister(&kcuckoo_device);
}
